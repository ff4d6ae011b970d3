//! A page that is one file: it opens from disk, loads nothing and forbids the browser to.

use serde::Serialize;

const FRAME: &str = include_str!("page.html");

/// The parts of a page. Styles, body and scripts are the project's own and taken as they are; title and data may hold anything and
/// are escaped.
pub struct Page<'a> {
    /// What the browser shows as the name of the page.
    pub title: &'a str,
    /// Style sheets.
    pub styles: &'a [&'a str],
    /// What the page holds, in pieces.
    pub body: &'a [&'a str],
    /// Scripts, run in this order when all else is there. They share one scope.
    pub scripts: &'a [&'a str],
}

impl Page<'_> {
    /// The page, with `data` as JSON in the element `data`.
    pub fn html(&self, data: &impl Serialize) -> serde_json::Result<String> {
        let data = json(data)?;
        let mut html = String::with_capacity(FRAME.len() + data.len() + (1 << 16));
        let mut rest = FRAME;
        // Only the frame is looked through: a part may well hold the name of another.
        while let Some((before, name, after)) = next_hole(rest) {
            html.push_str(before);
            match name {
                "title" => html.push_str(&escaped(self.title)),
                "style" => html.push_str(&self.styles.join("\n")),
                "body" => html.push_str(&self.body.concat()),
                "data" => html.push_str(&data),
                _ => html.push_str(&self.scripts.join("\n")),
            }
            rest = after;
        }
        html.push_str(rest);
        Ok(html)
    }
}

fn next_hole(frame: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = frame.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

/// JSON that no text in it can end before its time: `<` occurs within strings only, and there it can be written otherwise.
fn json(data: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(data)?.replace('<', "\\u003c"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_is_shown_can_become_markup() {
        let page = Page { title: "a <b> & {data}", styles: &["p {}"], body: &["<p>"], scripts: &["let {a} = b;"] };
        let evil = "</script><script>alert(1)</script><!-- \u{2028} {script}";
        let html = page.html(&[evil]).expect("JSON");
        assert!(html.contains("<title>a &lt;b> &amp; {data}</title>"));
        assert_eq!(html.matches("<script").count(), 2);
        let (_, data) = html.split_once("id=\"data\">").expect("the data");
        let (data, _) = data.split_once("</script>").expect("its end");
        assert_eq!(serde_json::from_str::<[String; 1]>(data).expect("JSON"), [evil]);
        assert!(html.contains("let {a} = b;") && html.contains("p {}"));
    }
}
