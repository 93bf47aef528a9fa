package importers

import (
	"encoding/json"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// Outputs of batches (rule F-7): each line of OpenAI's output file (platform.openai.com docs/guides/batch) has the
// whole response under response.body, each of Anthropic's (anthropic-sdk-python
// types/messages/message_batch_individual_response) the message under result.message. What is in there is read as any
// answer of the provider.

type batchRow struct {
	ID       string `json:"custom_id"`
	Response *struct {
		Status int             `json:"status_code"`
		Body   json.RawMessage `json:"body"`
	} `json:"response"`
	Result *struct {
		Type    string          `json:"type"`
		Message json.RawMessage `json:"message"`
	} `json:"result"`
}

func readBatch(r row) (*draft, error) {
	var x batchRow
	if err := r.into(&x); err != nil {
		return nil, err
	}
	inner := row{path: joined(r.path, "response.body")}
	switch {
	case x.Response != nil:
		inner.src = string(x.Response.Body)
	case x.Result != nil:
		inner.path, inner.src = joined(r.path, "result.message"), string(x.Result.Message)
	}
	if inner.src == "" || inner.src == "null" || x.Response != nil && x.Response.Status >= 400 {
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
	out.path, out.head.ExternalID = r.path, x.ID
	return out, out.fault
}
