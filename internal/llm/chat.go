package llm

import (
	"context"
	"encoding/json"
	"strings"

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

// chatMessage is a message of both shapes.
type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// completion asks an endpoint of the OpenAI shape. One that refuses a schema is asked again without, and from then on.
func (j *Judge) completion(ctx context.Context, m pointer.Messages, call *Call) (out reply, f *fault) {
	body := map[string]any{
		"model":    j.client.cfg.Model,
		"messages": []chatMessage{{Role: "system", Content: m.System}, {Role: "user", Content: m.User}},
	}
	read := func(raw []byte) *fault { return readCompletion(raw, call, &out) }
	address := under(j.client.url, "/chat/completions")
	if !j.plain.Load() {
		body["temperature"], body["max_tokens"] = 0, j.client.cfg.MaxTokens
		body["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{
			"name": "judgement", "strict": true, "schema": pointer.Schema(),
		}}
		f = j.client.post(ctx, address, body, call, read)
		if f == nil || f.code != "status 400" && f.code != "status 422" {
			return out, f
		}
		delete(body, "response_format")
		delete(body, "temperature")
		delete(body, "max_tokens")
	}
	body["max_completion_tokens"] = j.client.cfg.MaxTokens
	if f = j.client.post(ctx, address, body, call, read); f == nil {
		j.plain.Store(true)
	}
	return out, f
}

func readCompletion(raw []byte, call *Call, out *reply) *fault {
	var w struct {
		Error   wireError `json:"error"`
		Choices []struct {
			FinishReason string `json:"finish_reason"`
			Message      *struct {
				Content string `json:"content"`
				Refusal string `json:"refusal"`
			} `json:"message"`
		} `json:"choices"`
		Usage struct {
			In  int `json:"prompt_tokens"`
			Out int `json:"completion_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return malformed(err)
	}
	call.TokensIn, call.TokensOut = call.TokensIn+max(w.Usage.In, 0), call.TokensOut+max(w.Usage.Out, 0)
	switch {
	case w.Error.stands():
		return inside(string(w.Error))
	case len(w.Choices) != 1 || w.Choices[0].Message == nil:
		return malformed(nil)
	}
	c := w.Choices[0]
	*out = reply{text: c.Message.Content, cut: c.FinishReason == "length",
		declined: c.Message.Refusal != "" || c.FinishReason == "content_filter"}
	return nil
}

// message asks an endpoint of the Anthropic shape.
func (j *Judge) message(ctx context.Context, m pointer.Messages, call *Call) (out reply, f *fault) {
	body := map[string]any{
		"model": j.client.cfg.Model, "max_tokens": j.client.cfg.MaxTokens, "system": m.System,
		"messages": []chatMessage{{Role: "user", Content: m.User}},
	}
	f = j.client.post(ctx, under(j.client.url, "/v1/messages"), body, call, func(raw []byte) *fault {
		return readMessage(raw, call, &out)
	})
	return out, f
}

func readMessage(raw []byte, call *Call, out *reply) *fault {
	var w struct {
		Type    string    `json:"type"`
		Error   wireError `json:"error"`
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
		StopReason string `json:"stop_reason"`
		Usage      struct {
			In  int `json:"input_tokens"`
			Out int `json:"output_tokens"`
		} `json:"usage"`
	}
	if err := json.Unmarshal(raw, &w); err != nil {
		return malformed(err)
	}
	call.TokensIn, call.TokensOut = call.TokensIn+max(w.Usage.In, 0), call.TokensOut+max(w.Usage.Out, 0)
	switch {
	case w.Error.stands():
		return inside(string(w.Error))
	case w.Type != "message":
		return malformed(nil)
	}
	var b strings.Builder
	for _, c := range w.Content {
		if c.Type == "text" {
			b.WriteString(c.Text)
		}
	}
	*out = reply{text: b.String(), declined: w.StopReason == "refusal", cut: w.StopReason == "max_tokens"}
	return nil
}
