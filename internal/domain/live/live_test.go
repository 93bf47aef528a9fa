package live_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/live"
)

func TestFirstRuleThatFits(t *testing.T) {
	rules := live.Rules{List: []live.Rule{
		{Service: "billing-*", Retrieval: true, Share: 100, Becomes: live.Decision},
		{Service: "*-test", Share: 100, Becomes: live.Nothing},
		{Service: "billing-*", Share: 0, Becomes: live.Session},
		{Service: "help*desk*eu", Share: 100, Becomes: live.Session},
	}}
	for _, c := range []struct {
		services  string
		retrieval bool
		answered  bool
		state     live.State
		cause     live.Cause
	}{
		{services: "billing-api", retrieval: true, answered: true, state: live.Decision, cause: ""},
		{services: "billing-api", retrieval: false, answered: true, state: live.Nothing, cause: live.NotSampled},
		{services: "billing-test", retrieval: false, answered: true, state: live.Nothing, cause: live.ByRule},
		{services: "billing-test", retrieval: true, answered: true, state: live.Decision, cause: ""},
		{services: "gateway billing-api", retrieval: true, answered: true, state: live.Decision, cause: ""},
		{services: "gateway", retrieval: true, answered: true, state: live.Nothing, cause: live.NoRule},
		{services: "", retrieval: true, answered: true, state: live.Nothing, cause: live.NoRule},
		{services: "help-desk-eu", retrieval: false, answered: true, state: live.Session, cause: ""},
		{services: "help-desk-eu-1", retrieval: false, answered: true, state: live.Nothing, cause: live.NoRule},
		{services: "helpdeskdeskeu", retrieval: false, answered: false, state: live.Nothing, cause: live.NoAnswer},
		{services: "HELP-desk-eu", retrieval: false, answered: true, state: live.Nothing, cause: live.NoRule},
	} {
		state, cause := rules.Decide(&live.Facts{TraceID: "x", Services: strings.Split(c.services, " "), Retrieval: c.retrieval,
			Answered: c.answered})
		require.Equal(t, c.state, state, c.services)
		require.Equal(t, c.cause, cause, c.services)
	}
	one := live.Rules{List: []live.Rule{{Service: "a*a", Share: 100, Becomes: live.Session}}}
	state, _ := one.Decide(&live.Facts{Services: []string{"a"}, Answered: true})
	require.Equal(t, live.Nothing, state, "the ends of a pattern don't overlap")
	def := live.DefaultRules()
	require.NoError(t, def.Check())
	require.False(t, def.MakesNothing())
	state, _ = def.Decide(&live.Facts{Services: []string{""}, Answered: true})
	require.Equal(t, live.Session, state, "a trace without the name of a service fits too")
}

// A share is the same at every look, about as large as asked for, and holds every smaller one.
func TestShare(t *testing.T) {
	n := map[float64]int{}
	for i := range 20_000 {
		id := fmt.Sprintf("%032x", i)
		for _, share := range []float64{0, 1, 10, 50, 100} {
			in := live.Sampled(id, share)
			require.Equal(t, in, live.Sampled(id, share))
			if in {
				n[share]++
				require.True(t, live.Sampled(id, 100))
				require.True(t, share >= 50 || live.Sampled(id, 50))
			}
		}
	}
	require.Zero(t, n[0])
	require.Equal(t, 20_000, n[100])
	require.InDelta(t, 200, n[1], 60)
	require.InDelta(t, 2_000, n[10], 200)
	require.InDelta(t, 10_000, n[50], 400)
}

func TestRulesAreChecked(t *testing.T) {
	for path, r := range map[string]live.Rule{
		"rules[1].service":       {Service: " ", Share: 100, Becomes: live.Session},
		"rules[1].share_percent": {Service: "*", Share: 100.5, Becomes: live.Session},
		"rules[1].becomes":       {Service: "*", Share: 1, Becomes: live.Gathering},
	} {
		rules := live.DefaultRules()
		rules.List = append(rules.List, r)
		var fault *domain.Error
		require.ErrorAs(t, rules.Check(), &fault)
		require.Equal(t, path, fault.Path)
	}
	long := live.Rules{List: []live.Rule{{Service: strings.Repeat("خ", 201), Becomes: live.Nothing}}}
	require.Error(t, long.Check())
	long.List[0].Service = strings.Repeat("خ", 200)
	require.NoError(t, long.Check())
	long.List[0].Share = math.NaN()
	require.Error(t, long.Check())
	require.Error(t, (&live.Rules{List: make([]live.Rule, 51)}).Check())
	require.True(t, (&live.Rules{}).MakesNothing())
}

func TestWhenATraceIsComplete(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	require.Equal(t, at.Add(live.Longest), live.Due(at, at, false))
	require.Equal(t, at.Add(live.Settling), live.Due(at, at, true))
	require.Equal(t, at.Add(time.Minute+live.Settling), live.Due(at, at.Add(time.Minute), true))
	require.Equal(t, at.Add(live.Longest), live.Due(at, at.Add(live.Longest-time.Second), true), "never later")
}

func TestSenderIsToldEveryCause(t *testing.T) {
	var r live.Refused
	require.Empty(t, r.Said())
	for i, c := range live.Refusals {
		r.Add(c, fmt.Sprintf("spans[%d]", i))
	}
	r.Add(live.BadID, "spans[9]")
	require.Equal(t, len(live.Refusals)+1, r.Total())
	require.Contains(t, r.Said(), "2 spans without a valid trace id (16 bytes) and span id (8 bytes), neither all zeros "+
		"(the first at spans[0]); 1 span that")
	require.NotContains(t, r.Said(), "  ")
	require.Equal(t, len(live.Refusals), strings.Count(r.Said(), "the first at"))
}
