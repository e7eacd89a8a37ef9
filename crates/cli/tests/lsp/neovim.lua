-- Asks the server through Neovim's own client, at the places given in $PLACES, and writes what it said to $SAID.
local places = vim.fn.json_decode(vim.fn.readfile(vim.env.PLACES)[1])
local said = {}

-- The result of a request, or what went wrong with it.
local function ask(buffer, method, params)
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, params, 60000)
  if answers == nil then error(method .. ': ' .. tostring(problem)) end
  for _, answer in pairs(answers) do
    if answer.error then error(method .. ': ' .. vim.inspect(answer.error)) end
    return answer.result
  end
end

for _, place in ipairs(places) do
  local client = vim.lsp.start_client({ name = 'codegraph', cmd = { vim.env.CODEGRAPH, 'lsp' }, root_dir = place.root })
  vim.cmd('edit ' .. vim.fn.fnameescape(place.file))
  local buffer = vim.api.nvim_get_current_buf()
  assert(vim.wait(60000, function() return vim.lsp.get_client_by_id(client).initialized end, 10), 'not initialized')
  vim.lsp.buf_attach_client(buffer, client)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  vim.api.nvim_win_set_cursor(0, { place.line + 1, place.column })
  local encoding = vim.lsp.get_client_by_id(client).offset_encoding
  local here = function() return vim.lsp.util.make_position_params(0, encoding) end
  local answer = { file = place.file }
  answer.definition = ask(buffer, 'textDocument/definition', here())
  local params = here()
  params.context = { includeDeclaration = true }
  answer.references = ask(buffer, 'textDocument/references', params)
  answer.hover = ask(buffer, 'textDocument/hover', here())
  answer.symbols = ask(buffer, 'textDocument/documentSymbol', { textDocument = here().textDocument })
  answer.workspace = ask(buffer, 'workspace/symbol', { query = 'helper' })
  local items = ask(buffer, 'textDocument/prepareCallHierarchy', here())
  answer.callers = ask(buffer, 'callHierarchy/incomingCalls', { item = items[1] })
  params = here()
  params.newName = 'assist'
  local edit = ask(buffer, 'textDocument/rename', params)
  vim.lsp.util.apply_workspace_edit(edit, encoding)
  answer.renamed = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
  -- Half a name, not saved: the buffer is what is asked about.
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  local line = lines[place.line + 1]
  local half = line:sub(1, place.column + 3) .. line:sub(place.column + 7)
  vim.api.nvim_buf_set_lines(buffer, place.line, place.line + 1, false, { half })
  vim.api.nvim_win_set_cursor(0, { place.line + 1, place.column + 2 })
  params = here()
  params.position.character = params.position.character + 1
  answer.completion = ask(buffer, 'textDocument/completion', params)
  table.insert(said, answer)
  vim.cmd('bwipeout!')
  vim.lsp.stop_client(client)
end

vim.fn.writefile({ vim.fn.json_encode(said) }, vim.env.SAID)
vim.cmd('qall!')
