package ledger

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ConfidenceSource says whose figure a claim's confidence is.
type ConfidenceSource string

// The four sources. Exported by name.
const (
	Calibrated ConfidenceSource = "calibrated" // a probability of the embedded judge
	ByCaller   ConfidenceSource = "caller"     // stated with the matches that were given
	ByModel    ConfidenceSource = "model"      // a judge's own figure, not calibrated
	BySomebody ConfidenceSource = "review"     // a person set the verdict, so the figure says nothing of it
)

// ByReviews is the source of a figure that reviews measured; its confidence source is ByModel.
const ByReviews ConfidenceSource = "reviews"

// ConfidenceSources lists them.
var ConfidenceSources = []ConfidenceSource{Calibrated, ByCaller, ByModel, BySomebody}

// firstCalibrated is the first version of the embedded judge whose similarity is a calibrated probability.
const firstCalibrated = 9

// sourced sets whose the confidence is. Where the judge is calibrated, the deciding match's similarity is the
// probability that it supports the claim, or contradicts it.
func (e *Entry) sourced(s *Session) {
	version, _ := strconv.Atoi(s.Run.Version)
	attached := e.Best != nil && e.Best.Attached != nil // judged by ours, whoever judged the rest
	switch {
	case e.Claim.Judge == "given" && !attached:
		e.JudgeSource = ByCaller
	case attached || e.Claim.ByEmbedded() && version >= firstCalibrated:
		e.JudgeSource = Calibrated
		if e.Best != nil && e.Machine != NotFound && !e.Doubtful() {
			p := e.Best.Similarity
			e.JudgeProbability = &p
		}
	default:
		e.JudgeSource = ByModel
		e.Measured = s.Run.measured(e)
	}
}

// mostShown is the highest probability that is shown: a judge is never sure.
const mostShown = 0.99

// Shown is the one figure of the machine's verdict that pages, Markdown, PDF and tables show: the judge's probability
// if it has one, else the figure that came with the deciding match, the share that reviews measured or the model's own.
// Confidence is computed from it (L-3) and stands in JSON and the API alone.
func (e *Entry) Shown() float64 {
	switch {
	case e.JudgeProbability != nil:
		return min(*e.JudgeProbability, mostShown)
	case e.Measured || e.Best == nil || e.Machine == NotFound:
		return e.Confidence
	}
	return e.Best.Similarity
}

// FigureSource says whose figure Shown is, "" where the machine's verdict has none. It may be ByReviews, which is never
// exported as the source of a confidence.
func (e *Entry) FigureSource() ConfidenceSource {
	switch {
	case e.Machine == Unjudged || e.Machine == NotFound || e.JudgeSource == Calibrated && e.JudgeProbability == nil:
		return ""
	case e.Measured:
		return ByReviews
	}
	return e.JudgeSource
}

// TrustMeasured is the value of a run's parameters trust_supported_source and trust_contradicted_source where the share
// was taken over from reviews. Stored.
const TrustMeasured = "measured"

// measured reports whether the confidence of a claim that a model judged is the share that the run took over from
// reviews. A run may have judged some of a session's claims only, so the figure itself must be that share.
func (r *Run) measured(e *Entry) bool {
	if e.Best == nil || len(r.Parameters) == 0 {
		return false
	}
	word, _ := ModelWord(e.Best.Note)
	name := "trust_" + string(word)
	share, err := strconv.ParseFloat(r.Parameters[name], 64)
	const tolerance = 0.0005 // shares are in thousandths; the figure of a match is 0.99 at most
	return err == nil && share > 0 && r.Parameters[name+"_source"] == TrustMeasured &&
		math.Abs(e.Confidence-min(share, 0.99)) < tolerance
}

// absentNote is why the support of a given match was lowered.
const (
	absentNote    = "The quoted words are not in the source, so they support in part at most"
	absentAgainst = "The quoted words are not in the source"
	doubtfulNote  = "The figures rest on words that were read from a picture and are doubtful"
	uncheckedNote = "Source text not supplied: not checked"
)

// weighed returns the claim's matches as they enter its verdict. A given match whose snippet is not in its source
// supports in part at most; one that contradicts goes on doing so. One in which the claim's figures rest on doubtful
// words supports in part at most, and contradicts nothing.
func (s *Session) weighed(c *Claim) []Match {
	if len(c.Checks.Absent)+len(c.Checks.Doubtful) == 0 || !s.rules().Checks {
		return c.Matches
	}
	out := slices.Clone(c.Matches)
	for _, rank := range c.Checks.Absent {
		if rank < len(out) && !out[rank].Contradicts && out[rank].Support == Full {
			out[rank].Support = Partial
		}
	}
	for _, rank := range c.Checks.Doubtful {
		if rank >= len(out) {
			continue
		}
		if m := &out[rank]; m.Contradicts || m.Support != None {
			m.Contradicts, m.Support, m.doubtful = false, Partial, true
		}
	}
	return out
}

// Absent reports whether the snippet of the entry's best match is in no form in its source.
func (e *Entry) Absent() bool {
	return e.Best != nil && slices.ContainsFunc(e.Claim.Checks.Absent, func(rank int) bool {
		return rank < len(e.Claim.Matches) && e.Best == &e.Claim.Matches[rank]
	})
}

// remarks returns what the checks say of the matches behind the verdict.
func (e *Entry) remarks() (out []string) {
	switch {
	case e.Absent() && e.Machine == Contradicted:
		out = append(out, absentAgainst)
	case e.Absent():
		out = append(out, absentNote)
	}
	if e.Doubtful() {
		out = append(out, doubtfulNote)
	}
	if e.Claim.Checks.Unchecked {
		out = append(out, uncheckedNote)
	}
	if e.Best != nil && e.Best.Attached != nil {
		x := e.Best.Attached
		out = append(out, "This passage was attached by "+x.Actor+" on "+x.At.UTC().Format(time.DateOnly))
	}
	return out
}

// ModelSays begins the note on a match that a model made; its word follows (rule J-9). Notes are stored.
const ModelSays = "Model says: "

// ModelWord returns the word that the note on a model's match repeats, "" if it is another note, and whether the word
// stands alone: not where the embedded judge disagrees, or a sentence beside the evidence speaks to the judge. What the
// model writes itself is in parentheses, so that it cannot pass for an objection.
func ModelWord(note string) (word Verdict, alone bool) {
	rest, ok := strings.CutPrefix(note, ModelSays)
	if !ok {
		return Unjudged, false
	}
	end := strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz_")
	word = Verdict(rest[:len(rest)-len(end)])
	return word, end == "." || strings.HasPrefix(end, " (") && strings.HasSuffix(end, ").")
}

// Cap is why a model's "supported" is weak. Caps are answered by the API.
type Cap string

// The caps, "" where there is none.
const (
	CapUnmeasured Cap = "unmeasured" // how often the model is right is not measured
	CapShare      Cap = "share"      // it is measured, and not above what full support takes
	CapObjection  Cap = "objection"  // the embedded judge disagrees, or a sentence beside the evidence speaks to the judge
)

// CappedBy returns why the machine's verdict is weak although a model says supported.
func (e *Entry) CappedBy() Cap {
	if e.Machine != Weak || e.Best == nil {
		return ""
	}
	switch word, alone := ModelWord(e.Best.Note); {
	case word != Supported:
		return ""
	case !alone:
		return CapObjection
	case e.Best.Support == Full:
		return CapShare
	}
	return CapUnmeasured
}

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
