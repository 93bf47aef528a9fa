package importers

import (
	"cmp"
	"encoding/json"

	"sanad/internal/domain"
	"sanad/internal/recode"
	"sanad/internal/words"
)

// Outputs of batches (rule F-7): each line of OpenAI's output file (platform.openai.com docs/guides/batch) has the
// whole response under response.body, each of Anthropic's (anthropic-sdk-python
// types/messages/message_batch_individual_response) the message under result.message, each of Gemini's the answer under
// response, and Vertex's and Bedrock's the request beside it. What is in there is read as any answer of the provider.

// inlinedBatch is where Gemini's API puts the answers of a batch whose requests came with it, inlinedSnake where its
// SDK does.
const (
	inlinedBatch = "response.inlinedResponses.inlinedResponses"
	inlinedSnake = "dest.inlined_responses"
)

type batchRow struct {
	ID     string          `json:"custom_id"`
	Key    json.RawMessage `json:"key"`      // of Gemini
	Record string          `json:"recordId"` // of Bedrock
	Meta   struct {
		Key json.RawMessage `json:"key"`
	} `json:"metadata"`
	Request  json.RawMessage `json:"request"`
	Response json.RawMessage `json:"response"`
	Result   attributes      `json:"result"`
	Input    json.RawMessage `json:"modelInput"`
	Output   json.RawMessage `json:"modelOutput"`
	Error    json.RawMessage `json:"error"`
	Status   json.RawMessage `json:"status"` // of Vertex: what failed, "" if nothing did
}

// id returns the name that the caller gave the request.
func (x *batchRow) id() string {
	key, _ := rowID(x.Key)
	meta, _ := rowID(x.Meta.Key)
	return cmp.Or(x.ID, x.Record, key, meta)
}

// answer returns the answer with its path, nil if the request failed, and how it did, "" if the row does not say.
func (x *batchRow) answer() (path string, answer json.RawMessage, failed string) {
	response := objectOf(x.Response)
	body, status := response["body"], 0
	_ = sub("", response["status_code"], &status)
	for _, raw := range []json.RawMessage{x.Error, objectOf(body)["error"], x.Result["error"], x.Status} {
		failed = cmp.Or(failed, errorWords(raw))
	}
	switch {
	case status >= 400:
		return "response.body", nil, failed
	case begins(body) == '{':
		return "response.body", body, failed
	case begins(x.Result["message"]) == '{':
		return "result.message", x.Result["message"], failed
	case x.Result != nil:
		return "result", nil, cmp.Or(failed, x.Result.text("type"))
	case begins(x.Output) == '{':
		return "modelOutput", withRequest(x.Input, x.Output), failed
	case len(response) > 0:
		return "", withRequest(x.Request, x.Response), failed
	}
	return "", nil, failed
}

// withRequest returns an answer with the request that it answers, if there is one.
func withRequest(request, answer json.RawMessage) json.RawMessage {
	if begins(request) != '{' {
		return answer
	}
	return recode.Encode(map[string]any{"request": request, "response": answer})
}

// errorWords returns what an error says, in whatever shape providers write it.
func errorWords(raw json.RawMessage) string {
	if begins(raw) == '"' {
		return plainJSONText(raw)
	}
	m := objectOf(raw)
	if inner := objectOf(m["error"]); inner != nil {
		m = inner
	}
	return m.text("message", "errorMessage", "type", "code")
}

func readBatch(r row) (*draft, error) {
	var x batchRow
	if err := r.into(&x); err != nil {
		return nil, err
	}
	path, answer, failed := x.answer()
	inner := row{path: joined(r.path, path), src: string(answer)}
	if answer == nil && failed != "" {
		return nil, domain.Refuse(domain.Invalid, r.path, "refused_row_failed", "Why", words.Quoted(clipped(failed, 200)))
	}
	if answer == nil {
		return nil, domain.Refuse(domain.Invalid, r.path, "refused_batch_failed")
	}
	f, err := tell(fieldsOf([]row{inner}))
	if err != nil {
		return nil, under(inner.path, err)
	}
	var out *draft
	err = f.read(sliceRows{inner}, func(d *draft) error {
		if out != nil {
			d.skip(d.path, words.Msg("warning_first_choice"))
			return nil
		}
		out = d
		return nil
	})
	if err != nil {
		return nil, err
	}
	if out == nil {
		return nil, f.none()
	}
	out.path, out.head.ExternalID = r.path, cmp.Or(x.id(), out.head.ExternalID)
	return out, out.fault
}
