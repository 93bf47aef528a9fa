package ledger

import (
	"maps"
	"math"
	"slices"
)

// Others answers what amending an overview needs to know of the claims beside the changed one, as they are stored.
type Others interface {
	// Confidence returns the sum, in the order of the claims, of the confidence of all claims, the changed one as it
	// was, that are judged and not overridden.
	Confidence() (float64, error)
	// Flagged returns the first claim behind a position, other than the changed one, that a flag lists; nil if none.
	Flagged(t RiskType, after int) (*FlagClaim, error)
}

// Amend returns the overview after a review changed one claim's entry from was, which has its flags, to now, whose flags
// it sets. It returns false if more of the session may have changed than others tell; the caller must then use Assess.
// It does not change o. Flags that depend on the tenant's freshness window stay as they are.
func (o *Overview) Amend(was, now *Entry, others Others) (Overview, bool, error) {
	if was.FirstWords[0] != "" && was.FirstWords != now.FirstWords { // a seat's holder decided after two others
		return Overview{}, false, nil
	}
	if was.Override != now.Override && o.Summary.Confidence.all() != o.Summary.counted() {
		return Overview{}, false, nil // it was stored before there were histograms
	}
	out := *o
	out.Summary = o.Summary.amended(was, now)
	out.Sealed = o.Sealed.plus(now.sealed, 1).plus(was.sealed, -1)
	now.Flags = was.Flags
	if was.Verdict == now.Verdict && was.Override == now.Override && was.Importance == now.Importance {
		return out, true, nil // flags depend on these, on the evidence and on the confidence of what is not overridden
	}
	ok, err := out.amendFlags(o, was, now, others)
	return out, ok, err
}

// amended returns the summary after an entry changed from was to now.
func (s *Summary) amended(was, now *Entry) Summary {
	out := *s
	out.Pairs = slices.Clone(s.Pairs)
	out.ByVerdict, out.ByImportance = maps.Clone(s.ByVerdict), maps.Clone(s.ByImportance)
	for e, by := range map[*Entry]int{was: -1, now: 1} {
		out.ByImportance[e.Importance] += by
		if e.Unjudged() {
			out.Unjudged += by
		} else {
			out.ByVerdict[e.Verdict] += by
		}
		out.Overridden += by * one(e.Override)
		out.Reviewed += by * one(e.State != Unreviewed)
		out.Uncited += by * one(e.Uncited)
		out.Stale += by * one(e.Stale)
		out.Settled += by * one(e.Settled)
		out.Differing += by * one(e.Differs)
	}
	if was.Override != now.Override {
		out.Confidence = s.Confidence.without(was)
		out.Confidence.add(now)
	}
	out.Begun = s.Begun || now.begun()
	if was.FirstWords != now.FirstWords {
		out.pairUp(now)
	}
	out.rate()
	return out
}

// without returns a copy that does not count an entry.
func (s Histogram) without(e *Entry) Histogram {
	out := slices.Clone(s)
	var alone Histogram
	alone.add(e)
	for i, n := range alone[:min(len(alone), len(out))] {
		out[i] -= n
	}
	if slices.Max(append(out, 0)) == 0 {
		return nil
	}
	return out
}

// all returns how many claims the histogram counts.
func (s Histogram) all() (n int) {
	for _, in := range s {
		n += in
	}
	return n
}

// amendFlags sets the flags, those of before changed by one entry. It returns false if others may be listed too.
func (o *Overview) amendFlags(before *Overview, was, now *Entry, others Others) (bool, error) {
	low, ok, err := lowAfter(&before.Summary, &o.Summary, was, now, others)
	if err != nil || !ok {
		return false, err
	}
	flags := raisedFlags{}
	for _, f := range before.Flags {
		if f.Type == LowConfidence {
			f.Severity, f.Percent = low.severity, low.percent
		}
		flags[f.Type] = &f
	}
	now.Flags = nil
	for _, t := range RiskTypes {
		had, has := slices.Contains(was.Flags, t), false
		switch t {
		case MissingEvidence:
			has = now.missing()
		case Contradiction:
			has = now.Verdict == Contradicted
		case LowConfidence:
			has = now.counted() && now.Confidence < low.limit
		case Miscitation:
			if has = had; has && was.Importance == Critical && now.Importance != Critical {
				return false, nil // whether another listed claim is critical is not known
			}
		default: // these depend on the evidence
			has = had
		}
		if has {
			now.Flags = append(now.Flags, t)
		}
		if err := flags.move(t, was, now, had, has, low, others); err != nil {
			return false, err
		}
	}
	o.Flags = flags.list()
	return true, nil
}

// move changes a flag by an entry that was listed, or is.
func (byType raisedFlags) move(t RiskType, was, now *Entry, had, has bool, low lowFlag, others Others) error {
	if !had && !has {
		return nil
	}
	f := byType[t]
	if f == nil {
		f = &RiskFlag{Type: t, Severity: severityOf(t, low)}
		if t == LowConfidence {
			f.Percent = low.percent
		}
		byType[t] = f
	}
	whole := len(f.Claims) == f.Count
	f.Count += one(has) - one(had)
	if f.Count <= 0 {
		delete(byType, t)
		return nil
	}
	switch t {
	case MissingEvidence:
		f.Critical += one(has && now.Importance == Critical) - one(had && was.Importance == Critical)
		f.Material = f.Count - f.Critical
		f.Severity = []Severity{Medium, High}[min(f.Critical, 1)]
	case Miscitation:
		if now.Importance == Critical {
			f.Severity = High
		}
	}
	if had == has {
		return nil
	}
	return f.relist(now.Claim, has, whole, others)
}

// severityOf returns the severity of a flag that nothing critical raises.
func severityOf(t RiskType, low lowFlag) Severity {
	switch t {
	case Contradiction, ConflictingSources, InventedQuotation:
		return High
	case LowConfidence:
		return low.severity
	}
	return Medium
}

// relist puts a claim into the flag's list, or takes it out. A list that was not whole names the first headClaims.
func (f *RiskFlag) relist(c *Claim, has, whole bool, others Others) error {
	if has {
		at, _ := slices.BinarySearchFunc(f.Claims, c.Position, func(x FlagClaim, p int) int { return x.Position - p })
		f.Claims = slices.Insert(slices.Clone(f.Claims), at, FlagClaim{c.Key, c.Position, c.Text})
		if !whole {
			f.Claims = f.Claims[:headClaims]
		}
		return nil
	}
	f.Claims = slices.DeleteFunc(slices.Clone(f.Claims), func(x FlagClaim) bool { return x.Position == c.Position })
	for len(f.Claims) < min(f.Count, headClaims) {
		after := -1
		if n := len(f.Claims); n > 0 {
			after = f.Claims[n-1].Position
		}
		next, err := others.Flagged(f.Type, after)
		if err != nil || next == nil {
			return err
		}
		f.Claims = append(f.Claims, *next)
	}
	return nil
}

// lowFlag is below which confidence a claim is listed as one of low confidence, and how that flag reads.
type lowFlag struct {
	limit    float64
	severity Severity
	percent  int
}

// lowAfter returns the flag of low confidence after a change. It returns false if other claims may be listed after it
// than before, or if the sum, which is not added up in the order of the claims, may round to another figure.
func lowAfter(before, after *Summary, was, now *Entry, others Others) (low lowFlag, ok bool, err error) {
	sum, err := others.Confidence()
	if err != nil {
		return low, false, err
	}
	n, then := after.counted(), before.counted()
	if n == 0 {
		return low, true, nil
	}
	mean := AmendConfidence(sum, was, now) / float64(n)
	low = lowOf(mean)
	_, part := math.Modf(mean * 100)
	sure := math.Abs(mean-lowMean) > nearlySame && math.Abs(part-0.5) > nearlySame
	if then > 0 {
		mean = sum / float64(then)
		sure = sure && math.Abs(mean-lowMean) > nearlySame && low.limit == lowOf(mean).limit
	}
	return low, sure, nil
}

// nearlySame is far more than what adding a million figures up to 1 in another order can differ by.
const nearlySame = 1e-6

// AmendConfidence returns the sum of Others.Confidence after a review changed one claim's entry.
func AmendConfidence(sum float64, was, now *Entry) float64 {
	if was.counted() {
		sum -= was.Confidence
	}
	if now.counted() {
		sum += now.Confidence
	}
	return sum
}

// counted returns how many claims are judged and not overridden.
func (s *Summary) counted() int { return s.Total - s.Unjudged - s.Overridden }

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
