package judge

import (
	"maps"
	"slices"
	"time"

	"sanad/internal/domain/ledger"
)

// RunAdded judges a session that got more documents, those from the index first on, and records the run as of at. It
// judges the claims that are not supported, and those supported ones that a new document contradicts, against all
// documents (rule L-30). Other claims keep the judgement that they have. watch is as in RunWatched.
func RunAdded(s *ledger.Session, first int, j Judge, at time.Time, watch func(begun, all int) error) error {
	again := s.Unsupported()
	contradicted, err := contradictedBy(s, first, j, again, func() error { return watch(0, len(s.Claims)) })
	if err != nil {
		return err
	}
	again = append(again, contradicted...)
	slices.Sort(again)
	return RunSome(s, again, j, at, watch)
}

// RunSome judges the claims at the given indexes, whose matches it drops, and records the run as of at. watch is as in
// RunWatched.
func RunSome(s *ledger.Session, again []int, j Judge, at time.Time, watch func(begun, all int) error) error {
	run := ledger.Run{
		ID: s.Run.ID, InputDigest: inputDigest(s), At: at, Judge: j.Name(), Version: j.Version(),
		Parameters: maps.Clone(j.Parameters()),
	}
	if run.Parameters == nil {
		run.Parameters = map[string]string{}
	}
	run.Parameters["claims"] = ledger.ChangedClaims
	claims := make([]*ledger.Claim, len(again))
	for n, i := range again {
		claims[n] = &s.Claims[i]
		claims[n].Given, claims[n].Matches = false, nil
	}
	if err := judgeAll(claims, j, s, func(begun int) error { return watch(begun, len(claims)) }); err != nil {
		return err
	}
	if slices.ContainsFunc(s.Claims, func(c ledger.Claim) bool { return c.Given }) {
		run.Judge = "given+" + j.Name()
	}
	s.Run = run
	return watch(len(claims), len(claims))
}

// contradictedBy returns the indexes of the claims, without those in known, that a document from the index first on
// contradicts if it is read alone.
func contradictedBy(s *ledger.Session, first int, j Judge, known []int, watch func() error) ([]int, error) {
	only := *s
	only.Documents, only.Claims = s.Documents[first:], slices.Clone(s.Claims)
	skip := make([]bool, len(s.Claims))
	for _, i := range known {
		skip[i] = true
	}
	var rest []*ledger.Claim
	for i := range only.Claims {
		if !skip[i] {
			rest = append(rest, &only.Claims[i])
		}
	}
	if err := judgeAll(rest, j, &only, func(int) error { return watch() }); err != nil {
		return nil, err
	}
	against := func(m ledger.Match) bool { return m.Contradicts }
	var out []int
	for i := range only.Claims {
		if !skip[i] && slices.ContainsFunc(only.Claims[i].Matches, against) {
			out = append(out, i)
		}
	}
	return out, nil
}
