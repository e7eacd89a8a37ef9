//! Messages on a stream. What is no message is answered with the protocol's error, and the next one is read: a client
//! that stumbles once keeps its server.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::thread;

use codegraph_runtime::Guard;
use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{ErrorCode, Message, RequestId};
use serde_json::{Value, json};

use crate::server::{self, Ended};

/// Longer messages are not read: no editor sends such.
const LONGEST: u64 = 256 << 20;
/// Longer lines are no headers.
const LONGEST_HEADER: u64 = 8 << 10;

/// What is sent to the client.
pub(crate) enum Out {
    Message(Message),
    /// What answers a request, in JSON: lists are long, and are written once.
    Answer(RequestId, String),
    /// An error about something that has no id.
    Error(Value),
    /// Nothing comes after this.
    End,
}

impl<M: Into<Message>> From<M> for Out {
    fn from(message: M) -> Out {
        Out::Message(message.into())
    }
}

/// Serves one client on standard input and output, until it says so or goes away.
pub fn serve_stdio() -> bool {
    // Locked by its thread for as long as it writes.
    serve_stream(BufReader::new(io::stdin()), io::stdout())
}

/// Serves one client that connects to an address; `listening` is told which one.
pub fn serve_socket(address: SocketAddr, listening: impl FnOnce(SocketAddr)) -> anyhow::Result<bool> {
    // The protocol has no place for a secret: only this machine may connect.
    let guard = Guard::new(address, None)?;
    let listener = TcpListener::bind(address)?;
    let own = listener.local_addr()?;
    drop(guard.listening(own));
    listening(own);
    let (stream, _) = listener.accept()?;
    stream.set_nodelay(true)?;
    Ok(serve_stream(BufReader::new(stream.try_clone()?), stream))
}

/// Serves one client on two streams; says whether it ended the session as the protocol says.
pub fn serve_stream(input: impl BufRead + Send + 'static, output: impl Write + Send + 'static) -> bool {
    let (out, outgoing) = unbounded();
    let (incoming, messages) = unbounded();
    let (errors, last) = (out.clone(), out.clone());
    let writer = thread::spawn(move || write(output, &outgoing));
    thread::spawn(move || read(input, &incoming, &errors));
    let ended = server::run(&messages, out);
    if ended == Ended::Properly {
        // What was answered last is still under way. The thread that reads may wait for ever.
        let _ = last.send(Out::End);
        let _ = writer.join();
    }
    ended == Ended::Properly
}

fn write(mut output: impl Write, outgoing: &Receiver<Out>) {
    for out in outgoing {
        let written = match out {
            Out::End => return,
            Out::Message(message) => message.write(&mut output),
            Out::Answer(id, result) => {
                let id = json!(id);
                framed(&mut output, &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#))
            }
            Out::Error(error) => framed(&mut output, &error.to_string()),
        };
        if written.is_err() {
            return;
        }
    }
}

fn framed(output: &mut impl Write, text: &str) -> io::Result<()> {
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

fn read(mut input: impl BufRead, incoming: &Sender<Message>, errors: &Sender<Out>) {
    while let Ok(Some(bytes)) = next(&mut input) {
        let sent = match message(&bytes) {
            Ok(message) => incoming.send(message).is_ok(),
            Err(error) => errors.send(Out::Error(error)).is_ok(),
        };
        if !sent {
            return;
        }
    }
}

/// The body of the next message; lines that are no headers are passed over. None at the end.
fn next(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok().filter(|length| *length <= LONGEST);
        }
        if line.is_empty()
            && let Some(length) = length
        {
            let mut body = Vec::new();
            let read = input.by_ref().take(length).read_to_end(&mut body)?;
            return Ok((read as u64 == length).then_some(body));
        }
    }
}

/// A message, or the error that answers it.
fn message(bytes: &[u8]) -> Result<Message, Value> {
    let refuse = |id: Value, code: ErrorCode, message: String| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code as i32, "message": message}});
    let value: Value =
        serde_json::from_slice(bytes).map_err(|e| refuse(Value::Null, ErrorCode::ParseError, e.to_string()))?;
    let id = value.get("id").filter(|id| id.is_number() || id.is_string()).cloned().unwrap_or(Value::Null);
    serde_json::from_value(value).map_err(|_| refuse(id, ErrorCode::InvalidRequest, "no message".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_answered_and_the_next_one_read() {
        let framed = |body: &str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let ok = r#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#;
        let stream = format!("garbage\n\r\n{}{}{}", framed("{not json"), framed("[1,2]"), framed(ok));
        let (incoming, messages) = unbounded();
        let (errors, refused) = unbounded();
        read(stream.as_bytes(), &incoming, &errors);
        drop((incoming, errors));
        assert_eq!(messages.iter().count(), 1);
        let codes: Vec<Value> = refused
            .iter()
            .map(|out| match out {
                Out::Error(error) => error["error"]["code"].clone(),
                Out::Message(_) | Out::Answer(..) | Out::End => Value::Null,
            })
            .collect();
        assert_eq!(codes, [json!(-32700), json!(-32600)]);
    }
}
