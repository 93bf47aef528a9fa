package llm

import (
	"context"
	"encoding/json"
	"math"
	"strings"

	"sanad/internal/domain/judge/pointer"
	"sanad/internal/words"
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
		return &fault{code: "refusal", said: words.Msg("cause_model_declined")}
	case r.cut:
		return &fault{code: "token limit", said: words.Msg("cause_model_tokens")}
	}
	return nil
}

// message is one of a conversation.
type message struct {
	Content any    `json:"content"` // a text, or a list of textBlock
	Role    string `json:"role"`
}

// textBlock is a text as messages of the Anthropic shape hold it.
type textBlock struct {
	Text wireText `json:"text"`
	Type string   `json:"type"`
}

// wireText is a text of an answer. Some servers put a number or a list where a text belongs; it is read as its JSON,
// and then answers nothing that was asked for.
type wireText string

// UnmarshalJSON reads a text, or anything else as it is written.
func (w *wireText) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, (*string)(w)) != nil {
		*w = wireText(b)
	}
	return nil
}

// wireError is an error that stands in an answer: an object or a text.
type wireError json.RawMessage

// UnmarshalJSON keeps the error as it is.
func (e *wireError) UnmarshalJSON(b []byte) error { *e = append((*e)[:0], b...); return nil }

// stands reports whether there is an error.
func (e wireError) stands() bool { return len(e) > 0 && string(e) != "null" }

// completionRequest is a question to chat completions. Older servers know max_tokens alone, newer models of OpenAI
// refuse it along with a temperature.
type completionRequest struct {
	Messages            []message       `json:"messages"`
	Model               string          `json:"model"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
}

// responseFormat demands an answer that fits a schema.
type responseFormat struct {
	JSONSchema struct {
		Name   string         `json:"name"`
		Strict bool           `json:"strict"`
		Schema map[string]any `json:"schema"`
	} `json:"json_schema"`
	Type string `json:"type"`
}

// completion asks an endpoint of the OpenAI shape. One that refuses a schema is asked again without, and from then
// on; the refusal is one of the question's tries.
func (j *Judge) completion(ctx context.Context, m pointer.Messages, call *Call) (out reply, f *fault) {
	body := completionRequest{Model: j.client.cfg.Model, Messages: []message{{m.System, "system"}, {m.User, "user"}}}
	address, sent, most := j.client.url.JoinPath("chat/completions").String(), 0, j.client.cfg.MaxTokens
	read := func(raw []byte) (f *fault) {
		out, f = readCompletion(raw, call)
		return f
	}
	if !j.plain.Load() {
		strict := body
		strict.MaxTokens, strict.Temperature, strict.ResponseFormat = most, new(float64), judgement()
		f = j.client.post(ctx, address, strict, call, &sent, read)
		refused := f != nil && (f.code == "status 400" || f.code == "status 422")
		if !refused || sent >= max(j.client.cfg.Tries, 2) { // where one try is allowed, the form is still found out
			return out, f
		}
	}
	body.MaxCompletionTokens = most
	if f = j.client.post(ctx, address, body, call, &sent, read); f == nil {
		j.plain.Store(true)
	}
	return out, f
}

// judgement is the schema of an answer, as chat completions take it.
func judgement() *responseFormat {
	f := &responseFormat{Type: "json_schema"}
	f.JSONSchema.Name, f.JSONSchema.Strict, f.JSONSchema.Schema = "judgement", true, pointer.Schema()
	return f
}

// readCompletion reads an answer of the OpenAI shape.
func readCompletion(raw []byte, call *Call) (out reply, f *fault) {
	var w struct {
		Error   wireError `json:"error"`
		Choices []struct {
			Message *struct {
				Content wireText `json:"content"`
				Refusal wireText `json:"refusal"`
			} `json:"message"`
			FinishReason wireText `json:"finish_reason"`
		} `json:"choices"`
		Usage json.RawMessage `json:"usage"`
	}
	err := json.Unmarshal(raw, &w)
	call.used(w.Usage, "prompt_tokens", "completion_tokens")
	if w.Error.stands() {
		return out, inside(string(w.Error))
	}
	if err != nil || len(w.Choices) != 1 || w.Choices[0].Message == nil {
		return out, malformed(nil)
	}
	c := w.Choices[0]
	return reply{text: string(c.Message.Content), cut: c.FinishReason == "length",
		declined: c.Message.Refusal != "" || c.FinishReason == "content_filter"}, nil
}

// messagesRequest is a question to messages.
type messagesRequest struct {
	MaxTokens int         `json:"max_tokens"`
	Messages  []message   `json:"messages"`
	Model     string      `json:"model"`
	System    []textBlock `json:"system"`
}

// message asks an endpoint of the Anthropic shape.
func (j *Judge) message(ctx context.Context, m pointer.Messages, call *Call) (out reply, f *fault) {
	block := func(text string) []textBlock { return []textBlock{{Text: wireText(text), Type: "text"}} }
	body := messagesRequest{Model: j.client.cfg.Model, MaxTokens: j.client.cfg.MaxTokens,
		System: block(m.System), Messages: []message{{block(m.User), "user"}}}
	address := j.client.url.JoinPath("v1/messages").String()
	f = j.client.post(ctx, address, body, call, new(int), func(raw []byte) (f *fault) {
		out, f = readMessage(raw, call)
		return f
	})
	return out, f
}

// readMessage reads an answer of the Anthropic shape.
func readMessage(raw []byte, call *Call) (out reply, f *fault) {
	var w struct {
		Error      wireError       `json:"error"`
		Type       wireText        `json:"type"`
		Content    []textBlock     `json:"content"`
		StopReason wireText        `json:"stop_reason"`
		Usage      json.RawMessage `json:"usage"`
	}
	err := json.Unmarshal(raw, &w)
	call.used(w.Usage, "input_tokens", "output_tokens")
	if w.Error.stands() {
		return out, inside(string(w.Error))
	}
	if err != nil || w.Type != "message" {
		return out, malformed(nil)
	}
	var b strings.Builder
	for _, c := range w.Content {
		if c.Type == "text" {
			b.WriteString(string(c.Text))
		}
	}
	return reply{text: b.String(), declined: w.StopReason == "refusal", cut: w.StopReason == "max_tokens"}, nil
}

// used adds the tokens of an answer, which stand in its usage under two names. One that counts none is no fault.
func (c *Call) used(usage json.RawMessage, in, out string) {
	var counts map[string]any
	_ = json.Unmarshal(usage, &counts)
	of := func(name string) int {
		n, _ := counts[name].(float64)
		return int(min(max(n, 0), math.MaxInt32))
	}
	c.TokensIn, c.TokensOut = c.TokensIn+of(in), c.TokensOut+of(out)
}
