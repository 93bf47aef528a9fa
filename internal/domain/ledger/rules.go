package ledger

// RuleSet is one version of the rules that derive verdicts, strength and risk flags from matches. The matches
// themselves depend on the judge, whose version each run stores (Run.Version).
type RuleSet struct {
	What   string                              // what changed in it, for docs and operators
	Decide func(matches []Match) VerdictResult // the verdict, see DecideVerdict
	Score  func(Strength) float64              // the evidence strength, see Strength.Score
	Flags  func(r *raising, e *Entry)          // raises the risk flags of one entry
	Checks bool                                // whether citations and quotations are checked
}

// FirstRuleSet is the number of the rule set that was in force before sessions and exports stated one.
const FirstRuleSet = 1

// RuleSets lists every rule set: number n has index n-1. Sessions and exports store the number of the one they were
// assessed by, so the list is append only and no entry ever changes. The last one is in force.
//
// To change a rule, append a copy of the last entry with another function in it, leave the old function unchanged, and
// add a row to the table of rule sets in docs/changing.md. Nothing else is needed: a session is shown, exported and
// reviewed by the rules it was assessed by until it is judged again or `sanad reassess` migrates it, and an export that
// states an older number is checked by the rules of that number.
var RuleSets = []RuleSet{
	{
		What:   "verdict.v1, strength of four components, six risk flags",
		Decide: DecideVerdict, Score: Strength.Score, Flags: flags,
	},
	{
		What: "the answer's citations and quotations are checked, and whether it rests on struck-out or hidden text: " +
			"three more risk flags; a given snippet that is not in its source supports in part only; figures on doubtful " +
			"words of a scan neither support in full nor contradict, with a flag",
		Decide: decideWarily, Score: Strength.Score, Flags: flagsAndChecks, Checks: true,
	},
}

// CurrentRuleSet returns the number of the rule set in force.
func CurrentRuleSet() int { return len(RuleSets) }

// KnownRuleSet reports whether this program has a rule set with number n.
func KnownRuleSet(n int) bool { return n >= FirstRuleSet && n <= len(RuleSets) }

// ChecksAnswer reports whether the session's rule set checks what the answer cites and quotes.
func (s *Session) ChecksAnswer() bool { return s.rules().Checks }

// rules returns the rules that the session is assessed by; the current ones if it never was. Precondition: RuleSet is 0
// or known.
func (s *Session) rules() *RuleSet {
	if s.RuleSet == 0 {
		return &RuleSets[len(RuleSets)-1]
	}
	return &RuleSets[s.RuleSet-1]
}
