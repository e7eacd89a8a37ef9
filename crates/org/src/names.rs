//! One name across repositories: what a project offers under which names, and which packages it needs. Packages are
//! compared as registries compare them.

use codegraph_index::{Declared, Project};
use codegraph_query::Reader;

use crate::push::{Need, Offer};
use crate::{Error, Result};

/// A name as registries compare it.
fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace(['-', '.'], "_")
}

/// What others can use of a project.
pub fn offers(reader: &Reader) -> Result<Vec<Offer>> {
    let offered = codegraph_query::offers(reader)?;
    let offer = |one: codegraph_query::Offered| {
        let package = plain(&one.package);
        let named = !package.is_empty() && plain(&one.path).starts_with(&package);
        Offer { ecosystem: one.registry, package, version: None, path: one.path, key: one.key, named }
    };
    Ok(offered.into_iter().map(offer).collect())
}

/// What a project says that it needs, in the versions that its lock files have, else its manifests.
pub fn needs(project: &Project, reader: &Reader) -> Result<Vec<Need>> {
    let declared: Declared =
        codegraph_index::declared(project, reader.store()).map_err(|error| Error::Project(error.to_string()))?;
    let mut needs = Vec::new();
    for one in declared.dependencies {
        let version = one.locked.or(one.version);
        // A group and a name: manifests of the package itself may say the name alone.
        let last = one.name.rsplit(':').next().unwrap_or(&one.name);
        for name in [one.name.as_str(), last] {
            needs.push(Need { ecosystem: one.ecosystem, package: plain(name), version: version.clone() });
        }
    }
    needs.sort_unstable();
    needs.dedup();
    Ok(needs)
}
