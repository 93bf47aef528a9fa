package ledger

import (
	"maps"
	"math"
	"slices"
)

// AmendAsks says what amending an overview needs to know of the claims other than the changed one.
type AmendAsks struct {
	Sum  bool             // OtherClaims.Sum
	Next map[RiskType]int // by flag, the position after which OtherClaims.Next looks
}

// OtherClaims is what AmendAsks asks for, as it is stored.
type OtherClaims struct {
	// Sum adds up the confidence of all claims that are judged and not overridden, with the changed claim as it was.
	Sum float64
	// Next has the first claim with a flag after a position, other than the changed one; nil if none.
	Next map[RiskType]*FlagClaim
}

// AmendAsks returns what Amend needs to know of the other claims to change an entry from was to now. It asks for
// nothing if Amend needs nothing or will return false.
func (o *Overview) AmendAsks(was, now *Entry) AmendAsks {
	if !amendable(was, now) || was.flaggedLike(now) {
		return AmendAsks{}
	}
	asks := AmendAsks{Sum: true, Next: map[RiskType]int{}}
	for i := range o.Flags {
		f := &o.Flags[i]
		if len(f.Claims) == f.Count || !slices.Contains(was.Flags, f.Type) || !now.mayLose(f.Type) {
			continue
		}
		if rest := f.without(now.Claim.Position); len(rest) < len(f.Claims) {
			asks.Next[f.Type] = lastOf(rest)
		}
	}
	return asks
}

// mayLose reports whether an entry that had a flag may lack it after a review. The limit of low confidence is the same
// before and after, or else Amend returns false.
func (e *Entry) mayLose(t RiskType) bool {
	switch t {
	case MissingEvidence:
		return !e.missing()
	case Contradiction:
		return e.Verdict != Contradicted
	case LowConfidence:
		return !e.counted()
	}
	return false // it depends on the evidence
}

// without returns a copy of the claims that the flag names but one.
func (f *RiskFlag) without(position int) []FlagClaim {
	return slices.DeleteFunc(slices.Clone(f.Claims), func(c FlagClaim) bool { return c.Position == position })
}

// lastOf returns the position of the last claim, -1 if none.
func lastOf(claims []FlagClaim) int {
	if len(claims) == 0 {
		return -1
	}
	return claims[len(claims)-1].Position
}

// amendable reports whether Amend can tell the change of an entry from was to now, as far as that is known without the
// other claims.
func amendable(was, now *Entry) bool {
	if was.State.Aside() || now.State.Aside() { // the mean and the share of claims with evidence change
		return false
	}
	// unless a seat's holder decided after two others
	return was.FirstWords[0] == "" || was.FirstWords == now.FirstWords
}

// flaggedLike reports whether all flags stay as they are: they depend on these values, on the evidence and on the
// confidence of what is not overridden.
func (e *Entry) flaggedLike(now *Entry) bool {
	return e.Verdict == now.Verdict && e.Override == now.Override && e.Importance == now.Importance
}

// Amend returns the overview after a review changed one claim's entry from was, which has its flags, to now, whose
// flags it sets. others is what AmendAsks asks for. It returns false if other claims may have changed too; the caller
// must then use Assess. It does not change o. Flags that depend on the tenant's freshness window stay as they are.
//
// It is a second way to what Assess computes, because a reviewer waits: of 100,000 claims Amend takes 4 µs, Assess
// 260 ms and the reading of all of them from the store (BenchmarkAmend, 2026-11-28, 2 cores). TestAmendEqualsAssess
// holds them equal.
func (o *Overview) Amend(was, now *Entry, others OtherClaims) (Overview, bool) {
	if !amendable(was, now) {
		return Overview{}, false
	}
	out := *o
	out.Summary = o.Summary.amended(was, now)
	out.Sealed = o.Sealed.plus(now.sealed, 1).plus(was.sealed, -1)
	now.Flags = was.Flags
	if was.flaggedLike(now) {
		return out, true
	}
	return out, out.amendFlags(o, was, now, others)
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
		out.Overridden += by * oneIf(e.Override)
		out.Reviewed += by * oneIf(e.State != Unreviewed)
		out.Uncited += by * oneIf(e.Uncited)
		out.Stale += by * oneIf(e.Stale)
		out.Settled += by * oneIf(e.Settled)
		out.Differing += by * oneIf(e.Differs)
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
	var single Histogram
	single.add(e)
	for i, n := range single[:min(len(single), len(out))] {
		out[i] -= n
	}
	if slices.Max(append(out, 0)) == 0 {
		return nil
	}
	return out
}

// amendFlags sets the flags to those before, changed by one entry. It returns false if the listing of other claims may
// have changed.
func (o *Overview) amendFlags(before *Overview, was, now *Entry, others OtherClaims) bool {
	low, ok := amendLowConfidence(&before.Summary, &o.Summary, was, now, others.Sum)
	if !ok {
		return false
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
				return false // it is not known whether another listed claim is critical
			}
		default: // these depend on the evidence
			has = had
		}
		if has {
			now.Flags = append(now.Flags, t)
		}
		flags.update(t, was, now, had, has, low, others.Next[t])
	}
	o.Flags = flags.list()
	return true
}

// update changes a flag by an entry that was listed (had) or is listed now (has). next may then be named too.
func (byType raisedFlags) update(t RiskType, was, now *Entry, had, has bool, low lowConfidenceFlag, next *FlagClaim) {
	if !had && !has {
		return
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
	f.Count += oneIf(has) - oneIf(had)
	if f.Count <= 0 {
		delete(byType, t)
		return
	}
	switch t {
	case MissingEvidence:
		f.Critical += oneIf(has && now.Importance == Critical) - oneIf(had && was.Importance == Critical)
		f.Material = f.Count - f.Critical
		f.Severity = []Severity{Medium, High}[min(f.Critical, 1)]
	case Miscitation:
		if now.Importance == Critical {
			f.Severity = High
		}
	}
	if had != has {
		f.relist(now.Claim, has, whole, next)
	}
}

// relist adds a claim to the flag's list or removes it. A list that was not whole holds the first headClaims; next is
// then the one that moves up.
func (f *RiskFlag) relist(c *Claim, has, whole bool, next *FlagClaim) {
	if has {
		at, _ := slices.BinarySearchFunc(f.Claims, c.Position, func(x FlagClaim, p int) int { return x.Position - p })
		f.Claims = slices.Insert(slices.Clone(f.Claims), at, FlagClaim{c.Key, c.Position, c.Text})
		if !whole {
			f.Claims = f.Claims[:headClaims]
		}
		return
	}
	f.Claims = f.without(c.Position)
	if next != nil && len(f.Claims) < min(f.Count, headClaims) {
		f.Claims = append(f.Claims, *next)
	}
}

// lowConfidenceFlag is the limit below which a claim has low confidence, with the severity and percentage of that flag.
type lowConfidenceFlag struct {
	limit    float64
	severity Severity
	percent  int
}

// amendLowConfidence returns the flag of low confidence after a change. It returns false if the listing of other claims
// may have changed, or if the mean, whose sum is not added up in the order of the claims, may round to another figure.
func amendLowConfidence(before, after *Summary, was, now *Entry, sum float64) (low lowConfidenceFlag, ok bool) {
	n, then := after.counted(), before.counted()
	if n == 0 {
		return low, true
	}
	mean := amendConfidence(sum, was, now) / float64(n)
	low = lowOf(mean)
	_, part := math.Modf(mean * 100)
	sure := math.Abs(mean-lowMean) > roundingMargin && math.Abs(part-0.5) > roundingMargin
	if then > 0 {
		mean = sum / float64(then)
		sure = sure && math.Abs(mean-lowMean) > roundingMargin && low.limit == lowOf(mean).limit
	}
	return low, sure
}

// roundingMargin is far more than the sum of a million figures up to 1 can change with the order of adding.
const roundingMargin = 1e-6

// amendConfidence returns OtherClaims.Sum after a review changed one claim's entry.
func amendConfidence(sum float64, was, now *Entry) float64 {
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

func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}
