package llm

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
)

// Asking is a question about one claim, for callers that keep answers: Prepare, then Put unless its answer is known,
// then Read. Ask does all of it for those who keep none.
type Asking struct {
	judge    *Judge
	question *pointer.Question
	call     Call
	shown    string // all that the endpoint is shown
}

// Prepare makes the question about a claim; nil if there are no sources that could be shown. An error means that it
// cannot be asked: the claim stays unjudged.
func (j *Judge) Prepare(ctx context.Context, c *ledger.Claim, x *judge.Index) (*Asking, error) {
	a := &Asking{judge: j, call: Call{Kind: j.client.cfg.Kind, Model: j.client.cfg.Model, Template: pointer.TemplateVersion}}
	q, err := j.question(ctx, c, x, &a.call)
	if err != nil || len(q.Objects) == 0 {
		return nil, err
	}
	a.question = q
	a.shown = a.text()
	return a, nil
}

// text is all that the endpoint is shown.
func (a *Asking) text() string {
	if a.judge.client.cfg.Kind == NLI {
		return a.question.Statement() + "\x00" + strings.Join(a.question.Sentences(), "\x00")
	}
	m := a.question.Messages()
	return m.System + "\x00" + m.User
}

// Digest tells questions apart: by kind, address, model, template, and all that is shown.
func (a *Asking) Digest() string { return a.DigestAt(a.judge.client.cfg.Endpoint) }

// DigestAt is the digest of the same question to another address.
func (a *Asking) DigestAt(endpoint string) string {
	cfg := &a.judge.client.cfg
	return digest([]byte(strings.Join([]string{string(cfg.Kind), endpoint, cfg.Model, pointer.TemplateVersion, a.shown}, "\x00")))
}

// WordsOnly is the code of why BM25 alone found the passages, although there is an endpoint of embeddings; "" if it
// helped, or if none.
func (a *Asking) WordsOnly() string { return a.call.EmbeddingsFault }

// Tokens estimates how many tokens question and answer have.
func (a *Asking) Tokens() (in, out int) {
	in = EstimateTokens(a.shown)
	if a.judge.client.cfg.Kind == NLI { // which reads the claim with each sentence, and writes none
		return in + EstimateTokens(a.question.Statement())*max(0, len(a.question.Sentences())-1), 0
	}
	return in, expectedAnswer
}

// expectedAnswer is how many tokens an answer has: a verdict, some ids, and a few words.
const expectedAnswer = 120

// EstimateTokens estimates the tokens of a text: models differ, but cut English into pieces of some four letters, and
// Arabic of some two.
func EstimateTokens(s string) int {
	runes := utf8.RuneCountInString(s)
	wide := (len(s) - runes) // a rune beyond ASCII has at least one byte more
	wide = min(wide, runes)
	return (runes-wide)/4 + wide/2 + 1
}

// said is an answer as it is kept.
type said struct {
	Text   string          `json:"text,omitempty"`
	Scores []pointer.Score `json:"scores,omitempty"`
	Fault  string          `json:"fault,omitempty"` // code of why the text cannot be an answer
}

// Put puts the question to the endpoint and returns its answer in a form that Read takes, also later. An error says
// that none came. The call is recorded by the caller, once Read has said what became of it.
func (a *Asking) Put(ctx context.Context) (answer string, call Call, err error) {
	j, call := a.judge, a.call
	begun := j.client.cfg.Now()
	s, f := a.put(ctx, &call)
	call.Latency = j.client.cfg.Now().Sub(begun)
	if call.TokensIn == 0 && (f == nil || s.Fault != "") { // the endpoint does not count
		call.TokensIn, call.TokensOut = a.Tokens()
	}
	if f != nil {
		call.Fault = f.code
		return "", call, f.err()
	}
	raw, err := json.Marshal(s)
	return string(raw), call, err
}

func (a *Asking) put(ctx context.Context, call *Call) (s said, f *fault) {
	j := a.judge
	if j.client.cfg.Kind == NLI {
		s.Scores, f = j.score(ctx, a.question, call)
		return s, f
	}
	ask := j.completion
	if j.client.cfg.Kind == Anthropic {
		ask = j.message
	}
	r, f := ask(ctx, a.question.Messages(), call)
	if f != nil {
		return s, f
	}
	s.Text = r.text
	if f := r.fault(); f != nil {
		s.Fault = f.code
	}
	return s, nil
}

// Read holds an answer of Put to its evidence, and notes in the call what became of it. An error means that it does not
// count: the claim stays unjudged with its cause.
func (a *Asking) Read(answer string, call *Call) (o pointer.Outcome, err error) {
	j := a.judge
	var s said
	if err := json.Unmarshal([]byte(answer), &s); err != nil {
		return o, malformed(err).err()
	}
	switch declined := (&reply{declined: s.Fault == "refusal", cut: s.Fault == "token limit"}).fault(); {
	case declined != nil:
		call.Fault = declined.code
		return o, declined.err()
	case j.client.cfg.Kind == NLI:
		o, err = a.question.Weigh(s.Scores, j.own, j.client.cfg.Trust)
	default:
		o, err = a.question.Read(s.Text, j.own, j.client.cfg.Trust)
	}
	call.Violations, call.Addressing, call.Disagree = len(o.Violations), len(o.Addressing), o.Disagree
	if err != nil {
		call.Fault = "answer"
	}
	return o, err
}
