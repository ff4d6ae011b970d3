// The model of the examples on the page of the rules: it notes what happens.
use saltus::*;

#[derive(Default)]
pub struct Log(pub Vec<&'static str>);
impl Model for Log {
    type Time = f64;
    type Event = &'static str;
    type Refs = Handles<2>;
    fn handle(&mut self, event: &'static str, _: &mut impl Context<Self>) -> Outcome {
        self.0.push(event);
        Ok(())
    }
    fn kind(event: &&'static str) -> &'static str { event }
}
