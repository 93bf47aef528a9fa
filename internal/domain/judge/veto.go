package judge

// vetoed is what a likelihood is multiplied with where a rule forbids full support: it stays under fullMark.
const vetoed = 0.49

// closeMark is how much of the claim a sentence must say, apart from what conflicts, for a negation in it to count.
const closeMark = 0.80

// shortClaim is up to how many content words none may be missing: in a short claim each one may be the point.
const shortClaim = 3

// smallClaim is up to how many content words a passage must have thinMark of: with fewer, its likelihood rests on
// little.
const (
	smallClaim = 4
	thinMark   = 0.5
)

// veto names the rule by which a passage cannot carry the whole claim however likely the model finds it, "" for none.
// These are the cases a reader would not forgive; none of them is needed for the balance of errors.
func (r *reading) veto() string {
	core := r.core()
	rest, _ := core.rest(func(*term) bool { return false })
	content, found, _ := r.content()
	switch {
	case r.opposing != nil:
		return "contradiction"
	case r.outweighed:
		return "outweighed"
	case r.dating != datesAgree:
		return "date"
	case r.lacksNumber():
		return "number"
	case !r.sameSense() && rest >= closeMark:
		return "negation"
	case r.qualified != "":
		return "modality"
	case core.otherBound():
		return "bound"
	case core.swapped():
		return "swapped"
	case found < content && content <= shortClaim:
		return "point"
	case content <= smallClaim && float64(found) < thinMark*float64(content):
		return "thin"
	}
	return ""
}

// lacksNumber reports whether a quantity of the claim is nowhere in all that was given.
func (r *reading) lacksNumber() bool {
	for i := range r.best.query.terms {
		t := &r.best.query.terms[i]
		if t.quantity >= 0 && r.best.query.anywhere[i] == 0 {
			return true
		}
	}
	return false
}
