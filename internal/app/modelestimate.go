package app

import (
	"context"
	"slices"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	"sanad/internal/domain/redact"
	"sanad/internal/llm"
)

// ModelEstimate is what a run by an endpoint is expected to ask and to cost.
type ModelEstimate struct {
	Claims    int // of the session
	Asked     int // that the model is asked about
	Known     int // of these, the answers that are known; 0 where vectors choose passages, as they may choose others
	Reasons   map[judge.Reason]int
	TokensIn  int64
	TokensOut int64
	Cost      int64           // millionths
	Vectors   *VectorEstimate // nil without an endpoint of embeddings
	// Stored says that the claims are chosen by how they are judged now, as the session is too large to be judged while
	// somebody waits. A run judges it by the embedded judge first.
	Stored bool
}

// VectorEstimate is what vectors are expected to take that help to find passages.
type VectorEstimate struct {
	EndpointID, Endpoint string // its name
	Tokens, Cost         int64  // cost in millionths
	Priced               bool
	Short                bool // its budgets do not suffice
}

// mostSampled is how many questions are made to estimate the size of all.
const mostSampled = 100

// preparer returns a judge that only makes questions, which are the same for all addresses.
func preparer(e *model.Endpoint, cover *redact.Redactor) (*llm.Judge, error) {
	nowhere := model.Endpoint{Kind: e.Kind, Model: e.Model, URL: "https://models.invalid/predict"}
	return Models{}.Judge(&nowhere, "", cover, llm.Embeddings{}, time.Now, nil)
}

// EstimateModel estimates a run of a session by an endpoint (rule J-11). Nothing is sent or stored. own judges before
// it.
func EstimateModel(ctx context.Context, store *db.Store, own *Embedded, tenant string, loaded *ledger.Session, e *model.Endpoint,
	scope judge.Scope, at time.Time) (ModelEstimate, error) {
	s := *loaded
	out := ModelEstimate{Claims: len(s.Claims), Reasons: map[judge.Reason]int{}, Stored: own.NeedsJob(loaded)}
	if !out.Stored {
		s.Claims = slices.Clone(loaded.Claims)
		for i := range s.Claims {
			s.Claims[i].Given, s.Claims[i].Matches = false, nil
		}
		by, err := own.For(ctx, store, tenant)
		if err != nil {
			return out, err
		}
		watch := func(int, int) error { return ctx.Err() }
		if _, err := judge.RunWatched(&s, run(ctx, by, access.Actor{Tenant: tenant}, nil), at, watch); err != nil {
			return out, err
		}
	}
	asked := judge.Cascade(&s, scope)
	out.Asked = len(asked)
	var claims []string
	for _, u := range asked {
		out.Reasons[u.Reason]++
		claims = append(claims, s.Claims[u.Claim].Text)
	}
	if len(asked) == 0 {
		return out, nil
	}
	x := judge.NewIndex(&s)
	near, err := embeddingsOf(ctx, store, tenant)
	if err != nil {
		return out, err
	}
	if tokens := llm.EstimateEmbeddings(claims, x); near.ID != "" && tokens > 0 {
		if out.Vectors, err = estimateVectors(ctx, store, tenant, &near, tokens, at); err != nil {
			return out, err
		}
	}
	var cover *redact.Redactor
	if e.Redact || near.Redact {
		if cover, err = redactorOf(ctx, store, tenant); err != nil {
			return out, err
		}
	}
	j, err := preparer(e, cover)
	if err != nil {
		return out, err
	}
	return out, out.sample(ctx, store, tenant, &s, asked, j, x, e)
}

// sample makes some of the questions, spread over the session, and takes all to be like them.
func (out *ModelEstimate) sample(
	ctx context.Context, store *db.Store, tenant string, s *ledger.Session, asked []judge.Unsure, j *llm.Judge,
	x *judge.Index, e *model.Endpoint,
) error {
	n := min(mostSampled, len(asked))
	var questions []*llm.Asking
	var digests []string
	for i := range n {
		a, err := j.Prepare(ctx, &s.Claims[asked[i*len(asked)/n].Claim], x)
		if err != nil || a == nil {
			continue // it is not asked about
		}
		questions, digests = append(questions, a), append(digests, a.DigestAt(e.URL))
	}
	known := map[string]bool{}
	if out.Vectors == nil {
		var err error
		if known, err = store.KnownModelAnswers(ctx, tenant, s.ID, digests); err != nil {
			return err
		}
	}
	in, answers := 0, 0
	for i, a := range questions {
		if known[digests[i]] {
			out.Known++
			continue
		}
		more, words := a.Tokens()
		in, answers = in+more, answers+words
	}
	all := func(of int) int64 { return int64(of) * int64(len(asked)) / int64(n) }
	out.Known, out.TokensIn, out.TokensOut = int(all(out.Known)), all(in), all(answers)
	out.Cost = e.Price.Cost(int(out.TokensIn), int(out.TokensOut))
	return nil
}

func estimateVectors(ctx context.Context, store *db.Store, tenant string, e *model.Endpoint, tokens int, at time.Time,
) (*VectorEstimate, error) {
	_, today, err := store.ModelStanding(ctx, tenant, e.ID, at)
	cost := e.Price.Cost(tokens, 0)
	return &VectorEstimate{EndpointID: e.ID, Endpoint: e.Name, Tokens: int64(tokens), Cost: cost, Priced: e.Price.In > 0,
		Short: !e.Run.Fits(model.Spending{}, int64(tokens), cost) || !e.Day.Fits(today, int64(tokens), cost)}, err
}
