package app

import (
	"context"
	"slices"
	"strconv"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/model"
	"sanad/internal/llm"
)

// embeddingsOf returns the tenant's enabled endpoint of embeddings, the first by name; an empty one if none.
func embeddingsOf(ctx context.Context, store *db.Store, tenant string) (model.Endpoint, error) {
	all, err := store.ModelEndpoints(ctx, tenant)
	i := slices.IndexFunc(all, func(e model.Endpoint) bool { return e.Kind == model.Embeddings && e.Enabled })
	if err != nil || i < 0 {
		return model.Endpoint{}, err
	}
	return all[i], nil
}

// vectors returns the endpoint of embeddings that helps the run to find passages, held to its own budgets; none if the
// tenant has none. hides says that it is shown nothing that identifies a person.
func (r *modelRun) vectors(ctx context.Context, job *db.ClaimedJob) (v llm.Embeddings, hides bool, err error) {
	e, err := embeddingsOf(ctx, r.store, r.tenant)
	if err != nil || e.ID == "" {
		return v, false, err
	}
	e, key, err := r.store.OpenModelEndpoint(ctx, r.tenant, e.ID)
	if domain.KindOf(err) == domain.NotFound { // it was removed just now
		return v, false, nil
	}
	if err != nil {
		return v, false, err
	}
	if r.near, err = newBudget(ctx, r.store, r.now, job, r.session, e); err != nil {
		return v, false, err
	}
	return llm.Embeddings{Endpoint: e.URL, Model: e.Model, Key: key, Timeout: e.Timeout, Parallel: e.Parallel, Final: true,
		Spend: r.spendOnVectors}, e.Redact, nil
}

// noVectors is the id of why vectors are not asked for.
var noVectors = map[spent]string{
	spentRun:   "cause_vectors_run",
	spentDay:   "cause_vectors_day",
	notEnabled: "cause_vectors_disabled",
}

// spendOnVectors reserves the tokens of a request for vectors, and records the request when it has ended.
func (r *modelRun) spendOnVectors(ctx context.Context, tokens int) (ended func(llm.Call), err error) {
	why, err := r.near.reserve(ctx, tokens, 0)
	if err != nil {
		if ctx.Err() == nil { // it is the store that failed, not the endpoint
			r.end(err)
		}
		return nil, err
	}
	if why != "" {
		return nil, domain.Refuse(domain.Unavailable, "", noVectors[why])
	}
	return func(call llm.Call) {
		e := &r.near.endpoint
		done := model.Answered{Call: model.Call{
			EndpointID: e.ID, JobID: r.job, Claim: ofNoClaim, At: r.now().UTC(), Kind: e.Kind, Model: call.Model,
			Question: call.Request, Answer: call.Answer, Tries: call.Tries, TokensIn: call.TokensIn,
			Cost: e.Price.Cost(call.TokensIn, 0), Latency: call.Latency, Fault: call.Fault,
		}}
		err := r.keep.add(done)
		r.near.release(tokens, 0, &done.Call)
		if err != nil {
			r.end(err)
		}
	}, nil
}

// ofNoClaim stands in the place of a claim's position: passages are embedded for all claims of a session.
const ofNoClaim = -1

// noticeWords counts a claim whose passages were found by words alone, if there is a code of why.
func (r *modelRun) noticeWords(code string) {
	if code == "" || code == "cancelled" {
		return
	}
	r.count(countWords, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wordsOnly == "" {
		r.wordsOnly = code
	}
}

// nameVectors says in the parameters of a run what its vectors took, and why some did not come.
func (r *modelRun) nameVectors(p map[string]string) {
	if r.near == nil {
		return
	}
	of := r.near.spending()
	p["embeddings_endpoint"], p["embeddings_endpoint_id"] = r.near.endpoint.Name, r.near.endpoint.ID
	p["embeddings_asked"] = strconv.Itoa(of.Calls)
	p["embeddings_tokens"] = strconv.FormatInt(of.Tokens(), 10)
	p["embeddings_cost_millionths"] = strconv.FormatInt(of.Cost, 10)
	if r.wordsOnly != "" {
		p["embeddings_fault"] = r.wordsOnly
	}
	if why := r.near.usedUp(); why != "" {
		p["embeddings_fault"] = string(why)
	}
}
