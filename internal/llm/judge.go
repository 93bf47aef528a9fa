package llm

import (
	"context"
	"sync/atomic"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
)

// Judge judges by asking an endpoint. It is used by several goroutines at once.
type Judge struct {
	client client
	embed  *embedder // nil for none
	own    judge.Judge
	plain  *atomic.Bool // the endpoint takes no schema
	within context.Context
}

// New makes a judge that asks an endpoint. Nothing is sent yet.
func New(c Config) (*Judge, error) {
	c = c.defaults()
	u, err := c.check()
	if err != nil {
		return nil, err
	}
	j := &Judge{own: c.Own, plain: &atomic.Bool{}, within: context.Background()}
	if j.own == nil {
		j.own = judge.NewLexical()
	}
	j.client = client{cfg: c, url: u}
	j.client.http = newHTTP(&j.client.cfg, u)
	if j.embed, err = newEmbedder(c); err != nil {
		return nil, err
	}
	return j, nil
}

// In returns the judge bound to a context, for a run that can be cancelled. They share their connections.
func (j *Judge) In(ctx context.Context) *Judge {
	out := *j
	out.within = ctx
	return &out
}

// Name is the endpoint's kind.
func (j *Judge) Name() string { return string(j.client.cfg.Kind) }

// Version is that of the template: the model is a parameter.
func (j *Judge) Version() string { return pointer.TemplateVersion }

// Parameters are what the result depends on besides the input: neither key nor address.
func (j *Judge) Parameters() map[string]string {
	out := map[string]string{"model": j.client.cfg.Model, "template": pointer.TemplateVersion, "own": j.own.Version()}
	for _, name := range []string{ledger.ReaderParameter, ledger.CalibrationParameter} {
		if digest := j.own.Parameters()[name]; digest != "" {
			out[name] = digest
		}
	}
	if j.embed != nil {
		out["embeddings"] = j.embed.client.cfg.Model
	}
	if r := j.client.cfg.Redact; r != nil {
		out["redaction"] = r.Profile()
	}
	return out
}

// Judge asks about one claim.
func (j *Judge) Judge(c *ledger.Claim, x *judge.Index) ([]ledger.Match, error) {
	o, err := j.Ask(j.within, c, x)
	return o.Matches, err
}

// Ask asks about one claim, records the call, and returns all that became of it.
func (j *Judge) Ask(ctx context.Context, c *ledger.Claim, x *judge.Index) (o pointer.Outcome, err error) {
	cfg := &j.client.cfg
	call := Call{Kind: cfg.Kind, Model: cfg.Model, Template: pointer.TemplateVersion}
	begun := cfg.Now()
	q, err := j.question(ctx, c, x, &call)
	if err != nil || len(q.Objects) == 0 { // without sources there is nothing to ask: not found
		return o, err
	}
	defer func() {
		call.Latency = cfg.Now().Sub(begun)
		call.Cost = (float64(call.TokensIn)*cfg.Price.In + float64(call.TokensOut)*cfg.Price.Out) / 1e6
		call.Violations, call.Addressing, call.Disagree = len(o.Violations), len(o.Addressing), o.Disagree
		cfg.Record(call)
	}()
	var f *fault
	if o, f, err = j.answer(ctx, q, &call); f != nil {
		call.Fault, err = f.code, f.err()
	} else if err != nil {
		call.Fault = "answer"
	}
	return o, err
}

// question makes the question about a claim, with the passages that are found for it.
func (j *Judge) question(ctx context.Context, c *ledger.Claim, x *judge.Index, call *Call) (*pointer.Question, error) {
	q, err := pointer.Ask(c, x) // also tells whether it can be asked at all
	if err != nil || len(q.Objects) == 0 {
		return q, err
	}
	if j.embed != nil {
		ranking, f := j.embed.rank(ctx, c, x, call)
		if f != nil {
			call.EmbeddingsFault = f.code
		} else if q, err = pointer.Ask(c, x, ranking); err != nil {
			return q, err
		}
	}
	if r := j.client.cfg.Redact; r != nil {
		q.Redact(r)
	}
	return q, nil
}

// answer puts a question to the endpoint and holds the answer to its evidence.
func (j *Judge) answer(ctx context.Context, q *pointer.Question, call *Call) (pointer.Outcome, *fault, error) {
	trust := j.client.cfg.Trust
	if j.client.cfg.Kind == NLI {
		scores, f := j.score(ctx, q, call)
		if f != nil {
			return pointer.Outcome{}, f, nil
		}
		o, err := q.Weigh(scores, j.own, trust)
		return o, nil, err
	}
	ask := j.completion
	if j.client.cfg.Kind == Anthropic {
		ask = j.message
	}
	said, f := ask(ctx, q.Messages(), call)
	if f == nil {
		f = said.fault()
	}
	if f != nil {
		return pointer.Outcome{}, f, nil
	}
	o, err := q.Read(said.text, j.own, trust)
	return o, nil, err
}
