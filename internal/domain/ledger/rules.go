package ledger

// RuleSet is one version of the rules that make verdicts, strength and risk flags of matches. What matches are found is
// the judge's: its rule set is the version that each run stores (Run.Version).
type RuleSet struct {
	What   string                                                   // what it changed, for docs and operators
	Assign func(matches []Match) Assignment                         // the verdict, see Assign
	Score  func(Strength) float64                                   // the evidence strength, see Strength.Score
	Flags  func(s *Session, entries []Entry, months int) []RiskFlag // the risk flags, and marks the entries with them
}

// FirstRuleSet is the number of the rule set that was in force before sessions and exports stated one.
const FirstRuleSet = 1

// RuleSets lists every rule set there has been: number n is at place n-1. Sessions and exports store the number that
// they were assessed by, so the list is append only and no entry ever changes. The last one is in force.
//
// To change a rule, append a copy of the last entry with another function in it, leave the old function as it is, and
// add a row to the table of rule sets in docs/changing.md. Nothing else is needed: a session goes on being shown,
// exported and reviewed by the rules that it was assessed by until it is judged again or `sanad reassess` takes it over,
// and an export that states an older number is checked by the rules of that number.
var RuleSets = []RuleSet{
	{What: "verdict.v1, strength of four components, six risk flags", Assign: Assign, Score: Strength.Score, Flags: flags},
}

// CurrentRuleSet is the number of the rule set in force.
func CurrentRuleSet() int { return len(RuleSets) }

// KnownRuleSet reports whether n is the number of a rule set of this program.
func KnownRuleSet(n int) bool { return n >= FirstRuleSet && n <= len(RuleSets) }

// rules returns the rules that the session is assessed by: those in force for one that never was.
// Precondition: RuleSet is 0 or known.
func (s *Session) rules() *RuleSet {
	if s.RuleSet == 0 {
		return &RuleSets[len(RuleSets)-1]
	}
	return &RuleSets[s.RuleSet-1]
}
