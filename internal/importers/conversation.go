package importers

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"sanad/internal/strictjson"
	"sanad/internal/words"
)

// conversation gathers what messages say, in whatever shape a provider or a framework writes them: the last question,
// the last answer, and what tools returned. The shapes differ in the names of fields, which never mean two things:
// OpenAI Chat and Responses, Anthropic, Gemini, Bedrock Converse, OpenTelemetry GenAI, LangChain, the AI SDK and
// Pydantic AI.
type conversation struct {
	d      *draft // gets the results of tools as sources; nil if only words are looked for
	calls  map[string]*toolCall
	asked  string // by the user, last
	answer string // of the assistant, last
	bare   said   // texts that belong to no message
}

// said joins texts: those that something else stands between are paragraphs of their own.
type said struct {
	all   strings.Builder
	apart bool
}

func (s *said) text(words, between string) {
	if words == "" {
		return
	}
	if s.all.Len() > 0 {
		if s.apart {
			between = "\n\n"
		}
		s.all.WriteString(between)
	}
	s.apart = false
	s.all.WriteString(words)
}

func (s *said) words() string { return strings.TrimSpace(s.all.String()) }

// The roles of messages, by the words for them.
const (
	userRole      = "user"
	assistantRole = "assistant"
	toolRole      = "tool"
	systemRole    = "system"
)

var roles = map[string]string{
	"user": userRole, "human": userRole, "humanmessage": userRole, "humanmessagechunk": userRole,
	"assistant": assistantRole, "ai": assistantRole, "aimessage": assistantRole, "aimessagechunk": assistantRole,
	"model": assistantRole, "chatbot": assistantRole, "response": assistantRole,
	"tool": toolRole, "function": toolRole, "toolmessage": toolRole, "ipython": toolRole,
	"system": systemRole, "developer": systemRole, "systemmessage": systemRole,
}

// roleOf returns the role of a message, "" if it names none.
func roleOf(m attributes) string {
	for _, key := range []string{"role", "type", "kind"} {
		if role := roles[strings.ToLower(m.text(key))]; role != "" {
			return role
		}
	}
	return ""
}

// objectOf returns the fields of an object, nil if raw is none.
func objectOf(raw json.RawMessage) (out attributes) {
	if begins(raw) == '{' && sub("", raw, &out) != nil {
		return nil
	}
	return out
}

// listOf returns the items of a list, nil if raw is none. Files of events have more of them than lists that are decoded
// may have; how many values a whole input has is limited before.
func listOf(raw json.RawMessage) []json.RawMessage {
	if begins(raw) != '[' {
		return nil
	}
	out, err := strictjson.Items(raw)
	if err != nil {
		return nil
	}
	return out
}

// messages reads a list of messages, or of parts of one.
func (c *conversation) messages(path string, raw json.RawMessage) {
	c.read(path, raw, 0)
}

// deepMessages is how deeply lists of messages may be nested: LangChain has one for each prompt.
const deepMessages = 4

func (c *conversation) read(path string, raw json.RawMessage, depth int) {
	for i, item := range listOf(raw) {
		here := at(path, i, "")
		switch begins(item) {
		case '[':
			if depth < deepMessages {
				c.read(here, item, depth+1)
			}
		case '"':
			c.bare.text(plainJSONText(item), "\n")
		case '{':
			if m := objectOf(item); len(m) > 0 && !c.message(here, m) {
				c.part(here, m, &c.bare, "\n")
			}
		}
	}
}

// message reads a message; false if it is none.
func (c *conversation) message(path string, m attributes) bool {
	if inner := objectOf(m["kwargs"]); inner != nil { // as LangChain's dumps() writes it
		ids := listOf(m["id"])
		if len(ids) > 0 {
			inner["type"] = ids[len(ids)-1]
		}
		return c.message(joined(path, "kwargs"), inner)
	}
	for _, key := range []string{"message", "data"} { // a choice, or LangChain's messages_to_dict
		if inner := objectOf(m[key]); len(inner) > 0 {
			if begins(inner["kwargs"]) == '{' {
				return c.message(joined(path, key), inner)
			}
			if roleOf(inner) == "" {
				inner["role"] = m.first("role", "type")
			}
			if roleOf(inner) != "" {
				return c.message(joined(path, key), inner)
			}
		}
	}
	role := roleOf(m)
	if role == "" {
		return false
	}
	s := &said{}
	c.called(m)
	if role == toolRole && !slices.ContainsFunc(listOf(m.first("content", "parts")), isResult) {
		c.returned(path, m, "content", "output", "parts")
		return true
	}
	key, content := m.named("content", "parts", "text")
	c.content(joined(path, key), content, s)
	switch words := s.words(); {
	case words == "":
	case role == userRole:
		c.asked = words
	case role == assistantRole:
		c.answer = words
	}
	return true
}

// content reads what a message holds: a text, or parts.
func (c *conversation) content(path string, raw json.RawMessage, s *said) {
	switch begins(raw) {
	case '"':
		s.text(plainJSONText(raw), "\n")
	case '{':
		c.part(path, objectOf(raw), s, "\n")
	}
	for i, item := range listOf(raw) {
		if begins(item) == '"' {
			s.text(plainJSONText(item), "\n")
			continue
		}
		c.part(at(path, i, ""), objectOf(item), s, "\n")
	}
}

// called remembers the calls of tools that a message lists beside its text.
func (c *conversation) called(m attributes) {
	for _, key := range []string{"tool_calls", "toolCalls"} {
		for _, item := range listOf(m[key]) {
			c.call(objectOf(item))
		}
	}
}

// call remembers a call of a tool, for the title of what it returns.
func (c *conversation) call(b attributes) {
	inner := objectOf(b["function"])
	t := &toolCall{id: b.text(callIDs...), name: cmp.Or(b.text(toolNames...), inner.text("name")),
		input: b.first(toolInputs...)}
	if t.input == nil {
		t.input = inner.first("arguments")
	}
	if t.id == "" {
		return
	}
	if c.calls == nil {
		c.calls = map[string]*toolCall{}
	}
	c.calls[t.id] = t
}

// The names of fields of calls and results of tools.
var (
	callIDs    = []string{"tool_use_id", "toolUseId", "call_id", "tool_call_id", "toolCallId", "id"}
	toolNames  = []string{"name", "tool_name", "toolName", "server_label"}
	toolInputs = []string{"input", "arguments", "args", "action", "code", "queries"}
)

// partKinds says of the kinds of parts, and of the fields that stand for a kind, whether they are calls and results of
// tools. Kinds that end with tool_result are results too.
var partKinds = map[string]struct{ call, result bool }{
	"tool_use": {call: true}, "server_tool_use": {call: true}, "mcp_tool_use": {call: true}, "toolUse": {call: true},
	"functionCall": {call: true}, "function_call": {call: true}, "tool_call": {call: true}, "tool-call": {call: true},
	"custom_tool_call": {call: true}, "local_shell_call": {call: true}, "shell_call": {call: true},
	"web_search_call": {call: true}, "executableCode": {call: true}, "executable_code": {call: true},
	"mcp_call": {call: true, result: true}, "code_interpreter_call": {call: true, result: true},
	"builtin-tool-call": {call: true}, "builtin-tool-return": {result: true},
	"toolResult": {result: true}, "functionResponse": {result: true}, "function_response": {result: true},
	"tool_call_response": {result: true}, "tool-result": {result: true}, "tool-return": {result: true},
	"function_call_output": {result: true}, "custom_tool_call_output": {result: true},
	"local_shell_call_output": {result: true}, "shell_call_output": {result: true},
	"codeExecutionResult": {result: true}, "code_execution_result": {result: true},
}

// textKinds are the kinds of parts that are texts.
var textKinds = map[string]bool{"": true, "text": true, "input_text": true, "output_text": true, "user-prompt": true}

// kindOf returns the kind of a part, and its fields, which may stand one level deeper.
func kindOf(b attributes) (string, attributes) {
	if kind := b.text("type", "part_kind", "block_type"); kind != "" {
		return kind, b
	}
	for _, key := range slices.Sorted(maps.Keys(b)) {
		if _, known := partKinds[key]; known || key == "reasoningContent" || key == "citationsContent" {
			return key, objectOf(b[key])
		}
	}
	if string(b["thought"]) == "true" {
		return "thought", b
	}
	return "", b
}

// part reads one part of a message. What is neither text nor tool, such as thoughts and pictures, says nothing here.
func (c *conversation) part(path string, b attributes, s *said, between string) {
	kind, b := kindOf(b)
	if string(b["thought"]) == "true" {
		kind = "thought"
	}
	if kind == "citationsContent" {
		c.content(path, b["content"], s)
		return
	}
	if textKinds[kind] {
		words := b.first("text", "content")
		if begins(words) == '[' {
			c.content(path, words, s)
			return
		}
		if begins(words) == '"' {
			s.text(plainJSONText(words), between)
		}
		return
	}
	s.apart = true
	is := partKinds[kind]
	if is.call {
		c.call(b)
	}
	if is.result || strings.HasSuffix(kind, "tool_result") {
		c.returned(path, b, "output", "content", "response", "result", "outputs", "results")
	}
}

// isResult reports whether a part of a message is what a tool returned.
func isResult(raw json.RawMessage) bool {
	kind, _ := kindOf(objectOf(raw))
	return partKinds[kind].result || strings.HasSuffix(kind, "tool_result")
}

// returned reads what a tool returned, in the first of the fields that has it.
func (c *conversation) returned(path string, b attributes, fields ...string) {
	if c.d == nil {
		return
	}
	key, output := b.named(fields...)
	if definesTools(unpacked(output)) {
		return
	}
	t := toolCall{id: b.text(callIDs...), name: b.text(toolNames...), input: b.first(toolInputs...), output: output}
	if known := c.calls[t.id]; known != nil {
		t.name = cmp.Or(t.name, known.name)
		if t.input == nil {
			t.input = known.input
		}
	}
	if string(b["is_error"]) == "true" || begins(b["error"]) != 0 || b.text("status") == "error" {
		c.d.skip(path, words.Msg("warning_tool_failed"))
		return
	}
	c.d.toolReturned(joined(path, key), &t)
}

// definesTools reports whether a value is what a model may call or has called, which tracers keep as a tool's message
// too.
func definesTools(raw json.RawMessage) bool {
	list := listOf(raw)
	if begins(raw) == '{' {
		list = []json.RawMessage{raw}
	}
	return len(list) > 0 && !slices.ContainsFunc(list, func(item json.RawMessage) bool {
		of := objectOf(objectOf(item)["function"])
		return of.text("name") == "" || of.first("arguments", "parameters", "description") == nil
	})
}
