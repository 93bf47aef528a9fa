package llm

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	openaioption "github.com/openai/openai-go/v3/option"

	"sanad/internal/domain/judge/pointer"
)

// reply is what a model wrote.
type reply struct {
	text     string
	declined bool
	cut      bool // at the limit of tokens
}

// fault is why a reply cannot be read, nil if it can.
func (r *reply) fault() *fault {
	switch {
	case r.declined:
		return &fault{code: "refusal", msg: "The model declined to answer."}
	case r.cut:
		return &fault{code: "token limit", msg: "The model's answer was cut off at the limit of tokens."}
	}
	return nil
}

// wireError is an error that stands in an answer: an object or a text.
type wireError json.RawMessage

// UnmarshalJSON keeps the error as it is.
func (e *wireError) UnmarshalJSON(b []byte) error { *e = append((*e)[:0], b...); return nil }

// stands reports whether there is an error.
func (e wireError) stands() bool { return len(e) > 0 && string(e) != "null" }

// completion asks an endpoint of the OpenAI shape. One that refuses a schema is asked again without, and from then
// on; the refusal is one of the question's tries.
func (j *Judge) completion(ctx context.Context, m pointer.Messages, call *Call) (out reply, f *fault) {
	body := openai.ChatCompletionNewParams{
		Model:    j.client.cfg.Model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(m.System), openai.UserMessage(m.User)},
	}
	sent, most := 0, int64(j.client.cfg.MaxTokens)
	try := func() (f *fault) {
		out, f = j.complete(ctx, body, call)
		return f
	}
	if !j.plain.Load() {
		body.Temperature, body.MaxTokens, body.ResponseFormat = openai.Float(0), openai.Int(most), judgement()
		f = j.client.insist(ctx, &sent, call, try)
		refused := f != nil && (f.code == "status 400" || f.code == "status 422")
		if !refused || sent >= max(j.client.cfg.Tries, 2) { // where one try is allowed, the form is still found out
			return out, f
		}
		body = openai.ChatCompletionNewParams{Model: body.Model, Messages: body.Messages}
	}
	body.MaxCompletionTokens = openai.Int(most)
	if f = j.client.insist(ctx, &sent, call, try); f == nil {
		j.plain.Store(true)
	}
	return out, f
}

// judgement is the schema of an answer, as chat completions take it.
func judgement() openai.ChatCompletionNewParamsResponseFormatUnion {
	return openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &openai.ResponseFormatJSONSchemaParam{
		JSONSchema: openai.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: "judgement", Strict: openai.Bool(true), Schema: pointer.Schema(),
		},
	}}
}

// complete makes one try.
func (j *Judge) complete(ctx context.Context, body openai.ChatCompletionNewParams, call *Call) (out reply, f *fault) {
	d := &door{client: &j.client, call: call}
	service := openai.NewChatCompletionService( // reads no environment, unlike openai.NewClient
		openaioption.WithBaseURL(base(j.client.url)), openaioption.WithHTTPClient(d), openaioption.WithMaxRetries(0))
	w, err := service.New(ctx, body)
	if f := d.result(ctx, err); f != nil {
		return out, f
	}
	call.used(w.Usage.PromptTokens, w.Usage.CompletionTokens)
	if e := wireError(w.JSON.ExtraFields["error"].Raw()); e.stands() {
		return out, inside(string(e))
	}
	if len(w.Choices) != 1 || !w.Choices[0].JSON.Message.Valid() {
		return out, malformed(nil)
	}
	c := w.Choices[0]
	return reply{text: c.Message.Content, cut: c.FinishReason == "length",
		declined: c.Message.Refusal != "" || c.FinishReason == "content_filter"}, nil
}

// message asks an endpoint of the Anthropic shape.
func (j *Judge) message(ctx context.Context, m pointer.Messages, call *Call) (out reply, f *fault) {
	body := anthropic.MessageNewParams{
		Model: j.client.cfg.Model, MaxTokens: int64(j.client.cfg.MaxTokens),
		System:   []anthropic.TextBlockParam{{Text: m.System}},
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(m.User))},
	}
	sent := 0
	f = j.client.insist(ctx, &sent, call, func() (f *fault) {
		out, f = j.converse(ctx, body, call)
		return f
	})
	return out, f
}

// converse makes one try.
func (j *Judge) converse(ctx context.Context, body anthropic.MessageNewParams, call *Call) (out reply, f *fault) {
	d := &door{client: &j.client, call: call}
	service := anthropic.NewMessageService( // reads no environment, unlike anthropic.NewClient
		anthropicoption.WithBaseURL(base(j.client.url)), anthropicoption.WithHTTPClient(d), anthropicoption.WithMaxRetries(0),
		anthropicoption.WithRequestTimeout(j.client.cfg.Timeout)) // else it would be reckoned from the tokens
	w, err := service.New(ctx, body)
	if f := d.result(ctx, err); f != nil {
		return out, f
	}
	call.used(w.Usage.InputTokens, w.Usage.OutputTokens)
	if e := wireError(w.JSON.ExtraFields["error"].Raw()); e.stands() {
		return out, inside(string(e))
	}
	if w.JSON.Type.Raw() != `"message"` {
		return out, malformed(nil)
	}
	var b strings.Builder
	for _, c := range w.Content {
		if c.Type == "text" {
			b.WriteString(c.Text)
		}
	}
	return reply{text: b.String(), declined: w.StopReason == anthropic.StopReasonRefusal,
		cut: w.StopReason == anthropic.StopReasonMaxTokens}, nil
}

// used adds the tokens of an answer.
func (c *Call) used(in, out int64) {
	c.TokensIn, c.TokensOut = c.TokensIn+int(max(in, 0)), c.TokensOut+int(max(out, 0))
}
