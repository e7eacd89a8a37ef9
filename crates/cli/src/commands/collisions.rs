//! `codegraph collisions`: symbols that share an identity.

use std::io;

use clap::Args;
use codegraph_query::{CollisionsAnswer, Identity};

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{count, more, printable, remarks};
use crate::output::{Answer, Out, Outcome, Style, print};

/// List symbols that share a name or id that should be unique
#[derive(Args)]
pub(crate) struct Collisions {
    /// Look at these only: fqn, canonical_fqn, symbol_id
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    field: Vec<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Collisions {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let fields = self.field.iter().map(|word| Identity::from_word(word)).collect::<Result<Vec<_>, _>>()?;
        let answer = codegraph_query::collisions(&context.reader()?, &fields, self.window.window())?;
        print(context, "collisions", &answer)
    }
}

impl Answer for CollisionsAnswer {
    /// That there are none is the answer.
    fn found(&self) -> bool {
        true
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for collision in &self.collisions {
            let value = out.styled(Style::Name, &printable(&collision.value), 0);
            out.line(&format!("{}  {value}", collision.field.word()))?;
            for symbol in &collision.symbols {
                out.line(&format!("  {}:{}  {}", printable(&symbol.file), symbol.line_number, symbol.kind))?;
            }
        }
        more(out, self.collisions.len(), self.total, self.next_offset)?;
        let found = if self.total == 0 { "no collisions".to_owned() } else { count(self.total as u64, "collision") };
        out.faint(&format!("{found} among {}", count(self.checked, "symbol")))?;
        remarks(out, &self.remarks)
    }
}
