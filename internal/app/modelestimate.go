package app

import (
	"context"
	"slices"
	"time"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/llm"
)

// ModelEstimate is what a run by an endpoint is expected to ask and to cost.
type ModelEstimate struct {
	Claims    int // of the session
	Asked     int // that the model is asked about
	Reasons   map[judge.Reason]int
	TokensIn  int64
	TokensOut int64
	Cost      int64 // millionths
	// Stored says that the claims are chosen by how they are judged now, as the session is too large to be judged while
	// somebody waits. A run judges it by the embedded judge first.
	Stored bool
}

// mostSampled is how many questions are made to estimate the size of all.
const mostSampled = 100

// preparer returns a judge that only makes questions, which are the same for all addresses.
func preparer(e *model.Endpoint) (*llm.Judge, error) {
	nowhere := model.Endpoint{Kind: e.Kind, Model: e.Model, URL: "https://models.invalid/predict"}
	return Models{}.Judge(&nowhere, "", nil, llm.Embeddings{}, time.Now)
}

// EstimateModel estimates a run of a session by an endpoint (rule J-11). Nothing is sent or stored. It counts known
// answers too, although they cost nothing.
func EstimateModel(ctx context.Context, loaded *ledger.Session, e *model.Endpoint, scope judge.Scope,
	at time.Time) (ModelEstimate, error) {
	s := *loaded
	out := ModelEstimate{Claims: len(s.Claims), Reasons: map[judge.Reason]int{}, Stored: NeedsJob(loaded)}
	if !out.Stored {
		s.Claims = slices.Clone(loaded.Claims)
		for i := range s.Claims {
			s.Claims[i].Given, s.Claims[i].Matches = false, nil
		}
		if _, err := judge.RunWatched(&s, judge.NewLexical(), at, func(int, int) error { return ctx.Err() }); err != nil {
			return out, err
		}
	}
	asked := judge.Cascade(&s, scope)
	out.Asked = len(asked)
	for _, u := range asked {
		out.Reasons[u.Reason]++
	}
	j, err := preparer(e)
	if err != nil || len(asked) == 0 {
		return out, err
	}
	x, sampled := judge.NewIndex(&s), 0
	in, answers := 0, 0
	for n := range min(mostSampled, len(asked)) { // spread over the session
		a, err := j.Prepare(ctx, &s.Claims[asked[n*len(asked)/min(mostSampled, len(asked))].Claim], x)
		sampled++
		if err != nil || a == nil {
			continue // it is not asked about
		}
		more, words := a.Tokens()
		in, answers = in+more, answers+words
	}
	out.TokensIn = int64(in) * int64(len(asked)) / int64(sampled)
	out.TokensOut = int64(answers) * int64(len(asked)) / int64(sampled)
	out.Cost = e.Price.Cost(int(out.TokensIn), int(out.TokensOut))
	return out, nil
}
