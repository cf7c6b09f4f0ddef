//! How pages look: each is laid out by headless Chromium, as wide as a desktop's window and as a phone.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use fs_err as fs;

use crate::call::Call;
use crate::workspace::Workspace;

const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Pixels of a desktop's window, and of a phone's.
const WIDTHS: [u32; 2] = [1280, 390];

/// Whether there is a browser.
pub(super) fn is_possible(workspace: &Workspace) -> bool {
    browser(workspace).is_some()
}

fn browser(workspace: &Workspace) -> Option<&'static str> {
    let works = |name: &str| Call::new(workspace, name).arguments(["--version"]).works();
    BROWSERS.iter().copied().find(|name| works(name))
}

/// Fails on pages that are wider than the window, and on code that can't be read.
pub(super) fn check(workspace: &Workspace, folder: &Path, pages: &[PathBuf]) -> anyhow::Result<()> {
    let browser = browser(workspace).context("no Chromium: `apt-get install chromium`")?;
    let names = pages.iter().map(|page| page.to_str().context("a page's name is UTF-8"));
    let names = serde_json::to_string(&names.collect::<anyhow::Result<Vec<_>>>()?)?;
    let script = include_str!("render.js").replace("PAGES", &names).replace("WIDTHS", &format!("{WIDTHS:?}"));
    // Beside the pages, whose frames it looks into.
    let harness = folder.join("render.html");
    fs::write(&harness, format!("<!doctype html><body><pre id=\"found\"></pre><script>{script}</script>"))?;
    let profile = tempfile::tempdir()?;
    let output = Call::new(workspace, browser)
        .arguments(["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"])
        .arguments(["--virtual-time-budget=600000", "--window-size=1400,1000", "--dump-dom"])
        .arguments([format!("--user-data-dir={}", profile.path().display())])
        .arguments([format!("file://{}", harness.display())])
        .output()?;
    fs::remove_file(&harness)?;
    let dom = String::from_utf8_lossy(&output.stdout);
    let said = dom.split_once("id=\"found\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (said, _) = said.with_context(|| format!("{browser} said nothing of the pages"))?;
    let (end, findings) = said.trim().split_once('\n').unwrap_or((said.trim(), ""));
    let expected = format!("looked at {}", pages.len() * WIDTHS.len());
    ensure!(end == expected, "{browser} should have {expected}, and: {said}");
    ensure!(findings.is_empty(), "pages that don't fit:\n{findings}");
    println!("{expected} layouts, {WIDTHS:?} pixels wide: all fit");
    Ok(())
}
