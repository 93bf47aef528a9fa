package importers

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sanad/internal/recode"
	"sanad/internal/words"
)

// Streamed answers (rule F-7): what a provider sends as an event stream (WHATWG HTML, server-sent events), or its
// events as JSONL. They are put together to the answer that the provider gives without a stream, and that is read.

// joiner puts the events of a stream together: add takes one, answer returns the whole, and over reports whether its
// end was sent.
type joiner interface {
	add(event attributes)
	answer() any
	over() bool
}

// ending is of a joiner whose events say when the answer is whole.
type ending struct{ ended bool }

func (e *ending) over() bool { return e.ended }

// streamed returns a reader of streams, whose rows are their events.
func streamed(start func() joiner, read func(row) (*draft, error)) reader {
	return together(func(rows []row) ([]*draft, error) {
		s := streams{start: start, of: map[string]*streamedAnswer{}}
		var request json.RawMessage
		for _, r := range rows {
			var m attributes
			if err := r.into(&m); err != nil {
				return nil, err
			}
			if request == nil && begins(m["request"]) == '{' {
				request = m["request"]
			}
			if begins(m["events"]) != '[' {
				s.add(r.path, m)
			}
			for i, event := range listOf(m["events"]) {
				if e := objectOf(event); e != nil {
					s.add(joined(r.path, at("events", i, "")), e)
				}
			}
		}
		s.rotated()
		var out []*draft
		for _, a := range s.all {
			path := ""
			if len(s.all) > 1 {
				path = a.path
			}
			d, err := a.draft(path, request, read)
			if err != nil {
				return nil, err
			}
			out = append(out, d)
		}
		return out, nil
	})
}

// streamedAnswer is one of the answers in a file of events.
type streamedAnswer struct {
	joiner
	path   string // of its first event
	first  attributes
	events int
	failed string // what an event says went wrong, "" if none does
}

// draft reads the answer; path is its place in a file of several, else "".
func (a *streamedAnswer) draft(path string, request json.RawMessage, read func(row) (*draft, error)) (*draft, error) {
	whole := a.answer()
	if request != nil {
		whole = map[string]any{"request": request, "response": whole}
	}
	d, err := read(row{src: string(recode.Encode(whole)), path: path})
	if err != nil {
		return nil, err
	}
	if a.failed != "" && d.length == 0 {
		d.unread = words.Msg("refused_row_failed", "Why", words.Quoted(clipped(a.failed, 200)))
	}
	if !a.over() {
		d.skip(path, words.Msg("warning_stream_cut"))
	}
	if x, ok := a.joiner.(interface{ hadOthers() bool }); ok && x.hadOthers() {
		d.skip(path, words.Msg("warning_first_choice"))
	}
	return d, nil
}

func (a *streamedAnswer) take(e attributes) {
	if a.events++; a.events == 1 {
		a.first = e
	}
	a.add(e)
	a.failed = cmp.Or(failure(e), a.failed)
}

// streams are the answers in a file of events, in the order in which they begin. Those that interleave are told apart
// by their ids. An event without one belongs to the last.
type streams struct {
	start func() joiner
	all   []*streamedAnswer
	of    map[string]*streamedAnswer
	open  *streamedAnswer
	id    string // of open, "" if none was sent yet
	done  bool   // whether the end of the stream was sent after the last event
}

func (s *streams) add(path string, e attributes) {
	if begins(e[recode.Done]) != 0 {
		s.done = true
		return
	}
	id := answerID(e)
	switch known := s.of[id]; {
	case s.open == nil || s.another(e, id):
		s.open = &streamedAnswer{joiner: s.start(), path: path}
		s.all = append(s.all, s.open)
		s.id = id
	case known != nil:
		s.open, s.id = known, id
	default:
		s.id = cmp.Or(s.id, id)
	}
	s.done = false
	if id = cmp.Or(id, s.id); id != "" {
		s.of[id] = s.open
	}
	s.open.take(e)
}

// another reports whether an event is the first of another answer than the one that is open. Events of OpenAI Responses
// begin one by their type alone: what passes them on may give each an id of its own.
func (s *streams) another(e attributes, id string) bool {
	known, kind := s.of[id], e.text("type")
	switch {
	case s.done:
		return known == nil || known.over()
	case strings.HasPrefix(kind, "response."):
		return begun(kind) && known == nil
	case id != "" && known == nil && s.id != "":
		return true
	}
	return begun(kind) && cmp.Or(known, s.open).over()
}

// begun reports whether an event of a kind can only be the first of an answer.
func begun(kind string) bool {
	return slices.Contains([]string{"message_start", "response.created", "message-start", "start"}, kind)
}

// rotated makes one answer of chunks that each have an id of their own, as Groq's compound models send them: there is
// no answer but the last that has a second chunk, or an end.
func (s *streams) rotated() {
	for i, a := range s.all {
		if last := i == len(s.all)-1; begins(a.first["choices"]) != '[' || !last && (a.events > 1 || a.over()) {
			return
		}
	}
	if len(s.all) < 2 {
		return
	}
	whole := &streamedAnswer{joiner: s.start(), path: s.all[0].path}
	for _, a := range s.all {
		whole.failed = cmp.Or(whole.failed, a.failed)
		whole.add(a.first)
	}
	s.all = []*streamedAnswer{whole}
}

// answerID returns the id of the answer to which an event belongs, "" if it does not say.
func answerID(e attributes) string {
	object := e.text("object")
	switch kind := e.text("type"); {
	case object == "thread.message" || object == "thread.message.delta": // OpenAI Assistants
		return e.text("id")
	case strings.HasPrefix(object, "thread."):
		return ""
	case kind == "": // OpenAI Chat and Gemini
		return e.text("id", "responseId", "response_id")
	case kind == "message-start": // Cohere
		return e.text("id")
	case kind == "start": // AI SDK
		return e.text("messageId")
	}
	return objectOf(e.first("response", "message")).text("id")
}

// failure returns what an event says went wrong, "" if it is not about that.
func failure(e attributes) string {
	raw := either(e["error"], objectOf(e["response"])["error"])
	if of := objectOf(raw); of != nil {
		return of.text("message", "type", "code")
	}
	if begins(raw) == '"' {
		return plainJSONText(raw)
	}
	if kind := e.text("type"); kind == "error" {
		return e.text("message", "errorText", "code")
	}
	return ""
}

// The joiners of streamed answers, one for each shape in which providers send events.

// firstOnly is of a joiner that reads the first of several choices: others is whether there were more.
type firstOnly struct{ others bool }

func (f *firstOnly) hadOthers() bool { return f.others }

// Shorter names for JSON that is put together.
type (
	jsonObject = map[string]any
	jsonList   = []any
)

// numbered puts the texts of numbered parts together.
type numbered struct {
	parts map[string]*strings.Builder
	kinds map[string]json.RawMessage // the first of a part, of which the text is one field
	order []string
}

// part returns the text of a part so far.
func (x *numbered) part(number string, kind json.RawMessage) *strings.Builder {
	if x.parts == nil {
		x.parts, x.kinds = map[string]*strings.Builder{}, map[string]json.RawMessage{}
	}
	if x.parts[number] == nil {
		x.parts[number], x.kinds[number] = &strings.Builder{}, kind
		x.order = append(x.order, number)
	}
	return x.parts[number]
}

// chatJoiner joins chunks of OpenAI Chat Completions, and of the older Completions, whose choices are texts; only the
// first choice is read.
type chatJoiner struct {
	ending
	firstOnly
	id, model string
	said      strings.Builder
	notes     []json.RawMessage
}

func (j *chatJoiner) add(e attributes) {
	j.id, j.model = cmp.Or(j.id, e.text("id")), cmp.Or(j.model, e.text("model"))
	for _, item := range listOf(e["choices"]) {
		c := objectOf(item)
		if n := c.text("index"); n != "" && n != "0" {
			j.others = true
			continue
		}
		delta := objectOf(c["delta"])
		j.said.WriteString(deltaText(either(delta["content"], c["text"])))
		j.notes = append(j.notes, listOf(delta["annotations"])...)
		j.ended = j.ended || begins(c["finish_reason"]) != 0
	}
}

func (j *chatJoiner) answer() any {
	message := jsonObject{"role": "assistant", "content": j.said.String()}
	if len(j.notes) > 0 {
		message["annotations"] = j.notes
	}
	return jsonObject{"id": j.id, "model": j.model, "choices": jsonList{jsonObject{"message": message}}}
}

// deltaText returns what a chunk adds to an answer: a text, or the texts among parts, as Mistral writes them beside
// thoughts.
func deltaText(raw json.RawMessage) string {
	if begins(raw) == '"' {
		return plainJSONText(raw)
	}
	said := ""
	for _, item := range listOf(raw) {
		if part := objectOf(item); textKinds[part.text("type")] {
			said += part.text("text")
		}
	}
	return said
}

// responsesJoiner joins events of OpenAI Responses, the last of which has the whole. If that did not come, the items
// that are done are read, and the words so far of those that are not.
type responsesJoiner struct {
	ending
	whole json.RawMessage
	items []json.RawMessage
	done  map[string]bool   // numbers of items, or their ids
	said  numbered          // by number of item and of content
	of    map[string]string // the item of each
}

func (j *responsesJoiner) add(e attributes) {
	if j.done == nil {
		j.done, j.of = map[string]bool{}, map[string]string{}
	}
	switch e.text("type") {
	case "response.output_item.done":
		j.items = append(j.items, e["item"])
		j.done[cmp.Or(e.text("output_index"), objectOf(e["item"]).text("id"))] = true
	case "response.output_text.delta":
		id := e.text("output_index", "item_id")
		number := id + " " + e.text("content_index")
		j.said.part(number, nil).WriteString(e.text("delta"))
		j.of[number] = id
	case "response.completed", "response.incomplete":
		j.ended = true
		j.whole = e["response"]
	case "response.created":
		j.whole = e["response"]
	}
}

func (j *responsesJoiner) answer() any {
	out := objectOf(j.whole)
	if out == nil {
		out = attributes{}
	}
	if len(listOf(out["output"])) == 0 {
		out["output"] = recode.Encode(append(j.items, j.undone()...))
	}
	return out
}

// undone returns messages of the words of items that never came whole.
func (j *responsesJoiner) undone() (out []json.RawMessage) {
	for _, number := range j.said.order {
		if id := j.of[number]; !j.done[id] {
			out = append(out, recode.Encode(jsonObject{"type": "message", "role": "assistant", "id": id,
				"content": jsonList{jsonObject{"type": "output_text", "text": j.said.parts[number].String()}}}))
		}
	}
	return out
}

// messagesJoiner joins events of Anthropic Messages.
type messagesJoiner struct {
	ending
	message attributes
	said    numbered
	cited   map[string][]json.RawMessage
}

func (j *messagesJoiner) add(e attributes) {
	number := e.text("index")
	switch e.text("type") {
	case "message_start":
		if j.message == nil {
			j.message = objectOf(e["message"])
		}
	case "content_block_start":
		b := objectOf(e["content_block"])
		j.said.part(number, e["content_block"]).WriteString(b.text("text"))
	case "content_block_delta":
		d := objectOf(e["delta"])
		switch d.text("type") {
		case "text_delta":
			j.said.part(number, json.RawMessage(`{"type":"text"}`)).WriteString(d.text("text"))
		case "input_json_delta":
			j.said.part(number, nil).WriteString(d.text("partial_json"))
		case "citations_delta":
			if j.cited == nil {
				j.cited = map[string][]json.RawMessage{}
			}
			j.cited[number] = append(j.cited[number], d["citation"])
		}
	case "message_stop":
		j.ended = true
	}
}

func (j *messagesJoiner) answer() any {
	out := attributes{"type": json.RawMessage(`"message"`), "role": json.RawMessage(`"assistant"`)}
	for _, key := range []string{"id", "model"} {
		if raw := j.message[key]; raw != nil {
			out[key] = raw
		}
	}
	blocks := []attributes{}
	for _, number := range j.said.order {
		b, said := objectOf(j.said.kinds[number]), j.said.parts[number].String()
		switch {
		case b == nil:
			continue
		case b.text("type") == "text":
			b["text"] = recode.Encode(said)
			if cited := j.cited[number]; len(cited) > 0 {
				b["citations"] = recode.Encode(cited)
			}
		case strings.HasSuffix(b.text("type"), "tool_use") && json.Valid([]byte(said)):
			b["input"] = json.RawMessage(said)
		}
		blocks = append(blocks, b)
	}
	out["content"] = recode.Encode(blocks)
	return out
}

// cohereJoiner joins events of Cohere's second version.
type cohereJoiner struct {
	ending
	id    string
	said  numbered
	cited []json.RawMessage
}

func (j *cohereJoiner) add(e attributes) {
	message := objectOf(objectOf(e["delta"])["message"])
	switch e.text("type") {
	case "message-start":
		j.id = e.text("id")
	case "content-start", "content-delta":
		c := objectOf(message["content"])
		if begins(c["text"]) == '"' {
			j.said.part(e.text("index"), nil).WriteString(c.text("text"))
		}
	case "citation-start":
		if begins(message["citations"]) == '{' {
			j.cited = append(j.cited, message["citations"])
		}
	case "message-end":
		j.ended = true
	}
}

func (j *cohereJoiner) answer() any {
	content := jsonList{}
	for _, number := range j.said.order {
		content = append(content, jsonObject{"type": "text", "text": j.said.parts[number].String()})
	}
	message := jsonObject{"role": "assistant", "content": content}
	if len(j.cited) > 0 {
		message["citations"] = j.cited
	}
	return jsonObject{"id": j.id, "message": message}
}

// geminiJoiner joins answers of Gemini, each of which goes on where the one before it ended.
type geminiJoiner struct {
	ending
	firstOnly
	whole attributes
	parts []json.RawMessage
	last  attributes // the candidate that came last
}

func (j *geminiJoiner) add(e attributes) {
	candidates := listOf(e["candidates"])
	if len(candidates) == 0 {
		return
	}
	if j.whole == nil {
		j.whole = e
	}
	c := objectOf(candidates[0])
	if n := c.text("index"); len(candidates) > 1 || n != "" && n != "0" {
		j.others = true
		if n != "" && n != "0" {
			return
		}
	}
	j.parts = append(j.parts, listOf(objectOf(c["content"])["parts"])...)
	for _, key := range []string{"groundingMetadata", "grounding_metadata"} {
		if begins(c[key]) == 0 && j.last != nil && j.last[key] != nil {
			c[key] = j.last[key]
		}
	}
	j.last = c
	j.ended = j.ended || begins(c.first("finishReason", "finish_reason")) != 0
}

func (j *geminiJoiner) answer() any {
	if j.last == nil {
		return jsonObject{}
	}
	j.last["content"] = recode.Encode(jsonObject{"role": "model", "parts": j.parts})
	j.whole["candidates"] = recode.Encode([]attributes{j.last})
	return j.whole
}

// converseJoiner joins events of Bedrock's ConverseStream.
type converseJoiner struct {
	ending
	said numbered
}

func (j *converseJoiner) add(e attributes) {
	if start := objectOf(e["contentBlockStart"]); start != nil {
		j.said.part(start.text("contentBlockIndex"), start["start"])
	}
	if b := objectOf(e["contentBlockDelta"]); b != nil {
		delta := objectOf(b["delta"])
		part := j.said.part(b.text("contentBlockIndex"), nil)
		if begins(delta["text"]) == '"' {
			part.WriteString(delta.text("text"))
		}
	}
	j.ended = j.ended || e["messageStop"] != nil
}

func (j *converseJoiner) answer() any {
	content := jsonList{}
	for _, number := range j.said.order {
		said := j.said.parts[number].String()
		switch {
		case said != "":
			content = append(content, jsonObject{"text": said})
		case j.said.kinds[number] != nil:
			content = append(content, j.said.kinds[number])
		}
	}
	return jsonObject{"output": jsonObject{"message": jsonObject{"role": "assistant", "content": content}}}
}

// messageJoiner joins parts of a message of the AI SDK.
type messageJoiner struct {
	ending
	id    string
	said  numbered
	parts jsonList
	calls map[string]attributes
}

func (j *messageJoiner) add(e attributes) {
	id := e.text("id", "toolCallId")
	switch e.text("type") {
	case "start":
		j.id = e.text("messageId")
	case "text-start":
		j.said.part(id, nil)
		j.parts = append(j.parts, id)
	case "text-delta":
		if j.said.parts[id] == nil {
			j.parts = append(j.parts, id)
		}
		j.said.part(id, nil).WriteString(e.text("delta", "text"))
	case "source-url", "source-document":
		j.parts = append(j.parts, e)
	case "tool-input-available":
		if j.calls == nil {
			j.calls = map[string]attributes{}
		}
		j.calls[id] = e
	case "tool-output-available":
		name := j.calls[id].text("toolName")
		j.parts = append(j.parts, jsonObject{"type": "tool-" + name, "toolCallId": id, "output": e["output"],
			"input": either(j.calls[id]["input"], json.RawMessage("null"))})
	case "finish":
		j.ended = true
	}
}

func (j *messageJoiner) answer() any {
	parts := slices.Clone(j.parts)
	for i, p := range parts {
		if id, ok := p.(string); ok {
			parts[i] = jsonObject{"type": "text", "text": j.said.parts[id].String()}
		}
	}
	return jsonObject{"id": j.id, "role": "assistant", "parts": parts}
}

// threadJoiner joins events of OpenAI's old Assistants: a message comes in parts, then whole.
type threadJoiner struct {
	ending
	whole attributes
	said  strings.Builder
}

func (j *threadJoiner) add(e attributes) {
	switch e.text("object") {
	case "thread.message":
		if len(listOf(e["content"])) > 0 {
			j.whole = e
		}
		j.ended = j.ended || e.text("status") == "completed"
	case "thread.message.delta":
		for _, item := range listOf(objectOf(e["delta"])["content"]) {
			j.said.WriteString(objectOf(objectOf(item)["text"]).text("value"))
		}
	}
}

func (j *threadJoiner) answer() any {
	if j.whole != nil {
		return j.whole
	}
	return jsonObject{"role": "assistant", "content": jsonList{
		jsonObject{"type": "text", "text": jsonObject{"value": j.said.String()}}}}
}
