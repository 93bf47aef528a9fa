package live

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// Rule says what becomes of the traces that it fits. Rules are stored.
type Rule struct {
	Service   string  `json:"service"`             // of any of the trace's spans; * stands for any letters
	Retrieval bool    `json:"only_with_retrieval"` // fits only traces in which something was retrieved
	Share     float64 `json:"share_percent"`       // of the traces that it fits; of the others nothing is made
	Becomes   State   `json:"becomes"`             // session, decision or nothing
}

// Outcomes lists what a rule may make.
var Outcomes = []State{Session, Decision, Nothing}

// Rules are a tenant's rules in their order; the first that fits a trace decides.
type Rules struct {
	Revision int    `json:"-"` // 0 if nobody has set any: the default is in force
	List     []Rule `json:"rules"`
}

// The limits of rules.
const (
	MaxRules   = 50
	MaxService = 200 // code points
)

// DefaultRules makes a session of every trace with an answer.
func DefaultRules() Rules {
	return Rules{List: []Rule{{Service: "*", Share: 100, Becomes: Session}}}
}

// Check returns the first thing that is wrong with the rules, with its place.
func (r *Rules) Check() error {
	if len(r.List) > MaxRules {
		return domain.Refuse(domain.Invalid, "rules", "refused_trace_many", "Most", len(r.List), "N", MaxRules)
	}
	for i := range r.List {
		x, at := &r.List[i], fmt.Sprintf("rules[%d].", i)
		switch n := text.Len(x.Service); {
		case strings.TrimSpace(x.Service) == "":
			return domain.Refuse(domain.Invalid, at+"service", "fault_trace_service")
		case n > MaxService:
			return domain.Refuse(domain.Invalid, at+"service", "refused_trace_service_long", "Most", n, "N",
				MaxService)
		}
		if math.IsNaN(x.Share) || x.Share < 0 || x.Share > 100 {
			return domain.Refuse(domain.Invalid, at+"share_percent", "fault_trace_share")
		}
		if !slices.Contains(Outcomes, x.Becomes) {
			return domain.Refuse(domain.Invalid, at+"becomes", "refused_trace_becomes")
		}
	}
	return nil
}

// MakesNothing reports whether no trace can become anything.
func (r *Rules) MakesNothing() bool {
	return !slices.ContainsFunc(r.List, func(x Rule) bool { return x.Becomes != Nothing && x.Share > 0 })
}

// Facts are what rules ask about a trace.
type Facts struct {
	TraceID   string
	Services  []string
	Retrieval bool
	Answered  bool
}

// Decide returns what becomes of a trace, and why it becomes nothing.
func (r *Rules) Decide(f *Facts) (State, Cause) {
	i := slices.IndexFunc(r.List, func(x Rule) bool { return x.fits(f) })
	switch {
	case i < 0:
		return Nothing, NoRule
	case r.List[i].Becomes == Nothing:
		return Nothing, ByRule
	case !Sampled(f.TraceID, r.List[i].Share):
		return Nothing, NotSampled
	case !f.Answered:
		return Nothing, NoAnswer
	}
	return r.List[i].Becomes, ""
}

func (r *Rule) fits(f *Facts) bool {
	return (f.Retrieval || !r.Retrieval) &&
		slices.ContainsFunc(f.Services, func(name string) bool { return matches(strings.TrimSpace(r.Service), name) })
}

// matches reports whether a name is what a pattern says; case counts. It takes time in proportion to the product of
// their lengths at most.
func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(name, part)
		if !found {
			return false
		}
		name = after
	}
	return true
}

// Sampled reports whether a trace is among a share of all, in percent. It depends on the trace's id alone, so that
// every node, and every later look, gives the same answer; a larger share holds all of a smaller one.
func Sampled(traceID string, percent float64) bool {
	sum := sha256.Sum256([]byte(traceID))
	return float64(binary.BigEndian.Uint64(sum[:])>>11)/(1<<53) < percent/100
}
