"""Runs every tool through the official Python SDK: `python.py CALLS stdio COMMAND…` or `python.py CALLS http URL`."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def main(calls, transport, target):
    where = target[0] if transport == "http" else StdioServerParameters(command=target[0], args=target[1:])
    async with Client(where) as client:
        assert client.server_info.name == "codegraph", client.server_info
        # One text and nothing else, unless data was asked for: clients show their model the data instead.
        structured = "structured" in target[-1] or "--structured" in target
        tools = (await client.list_tools()).tools
        assert all((tool.output_schema is not None) == structured for tool in tools), tools
        listed = {tool.name for tool in tools}
        assert listed == set(calls), f"listed and called differ: {sorted(listed ^ set(calls))}"
        steps = {}

        async def progress(done, total, message):
            steps.setdefault(name, []).append(done)

        for name, arguments in calls.items():
            result = await client.call_tool(name, arguments, progress_callback=progress)
            assert not result.is_error, f"{name}: {result.content[0].text}"
            assert len(result.content) == 1 and result.content[0].text, name
            assert isinstance(result.structured_content, dict) == structured, name
        assert "codegraph_init" in steps and all(told == sorted(told) for told in steps.values()), steps
        wrong = await client.call_tool("codegraph_get", {"symbol": ""})
        assert wrong.is_error and "hint: " in wrong.content[0].text, wrong
        assert len(wrong.content) == 1 and (wrong.structured_content is not None) == structured, wrong
        for resource in (await client.list_resources()).resources:
            assert (await client.read_resource(resource.uri)).contents[0].text, resource
        assert (await client.read_resource("codegraph://signatures/app/main.py")).contents[0].text
        assert len((await client.list_resource_templates()).resource_templates) == 1
        for prompt in (await client.list_prompts()).prompts:
            given = {argument.name: "User" for argument in prompt.arguments or []}
            assert (await client.get_prompt(prompt.name, given)).messages[0].content.text, prompt
        answers = await asyncio.gather(*(client.call_tool("codegraph_find", {"name": "User"}) for _ in range(20)))
        assert len({answer.content[0].text for answer in answers}) == 1
        print(f"{len(calls)} tools over {transport}, protocol {client.protocol_version}")


asyncio.run(main(json.load(open(sys.argv[1])), sys.argv[2], sys.argv[3:]))
