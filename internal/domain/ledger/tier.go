package ledger

// Tier says which way a weak verdict leans. Stored and exported.
type Tier string

// The tiers; "" of any other verdict, and without a probability.
const (
	Likely   Tier = "likely"   // more likely supported than not
	Doubtful Tier = "doubtful" // not more likely supported than not
)

// Tiers lists them, the better one first.
var Tiers = []Tier{Likely, Doubtful}

// TierOf returns the tier of a verdict by the probability that the evidence supports the claim (rule L-40).
func TierOf(v Verdict, probability *float64) Tier {
	switch {
	case v != Weak || probability == nil:
		return ""
	case *probability > 0.5:
		return Likely
	}
	return Doubtful
}

// MachineTier returns the tier of the machine's verdict, whatever a person set.
func (e *Entry) MachineTier() Tier { return TierOf(e.Machine, e.JudgeProbability) }
