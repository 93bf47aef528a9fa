package words

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Message is something that the program says, kept as data: the id of a message of the catalogue, and what stands for
// its placeholders. It is said in the reader's language when it is shown. Stored.
type Message struct {
	ID   string `json:"id"`
	Args Args   `json:"args,omitempty"`
}

// Args are name, value, name, value …. A value is a number (int or float64), words of somebody else (string), which are
// not translated, a Message, a List of such values, or Sentences.
type Args []any

// List is values that are named one after another, with commas between.
type List []any

// Sentences are messages that stand one behind another.
type Sentences []Message

// Msg returns a message; args are name, value, name, value ….
func Msg(id string, args ...any) Message { return Message{id, args} }

// AsWritten returns words of somebody else as a message.
func AsWritten(text string) Message { return Msg("as_written", "Text", text) }

// ListOf returns texts as a List.
func ListOf[T ~string](texts []T) List {
	out := make(List, len(texts))
	for i, s := range texts {
		out[i] = string(s)
	}
	return out
}

// IsZero reports whether there is nothing to say.
func (m Message) IsZero() bool { return m.ID == "" }

// String returns the message in English, as logs, answers of the API and exports have it; "" for none.
func (m Message) String() string { return In("en").Say(m, plain) }

// plain writes a value as a program does.
func plain(value any) string { return fmt.Sprint(value) }

// Plain returns a message with its numbers and texts as they are.
func (c *Catalogue) Plain(m Message) string { return c.Say(m, plain) }

// Say returns a message in the language of the catalogue, "" for none; shown writes a number or a text.
func (c *Catalogue) Say(m Message, shown func(any) string) string {
	if m.ID == "" {
		return ""
	}
	known, ok := c.messages()[m.ID]
	if !ok {
		return m.ID
	}
	t := known.text
	if n, isNumber := m.Args.value("N").(int); isNumber && known.forms != nil {
		t = known.form(c.lang, n)
	}
	var b strings.Builder
	for i, piece := range t {
		if i%2 == 0 {
			b.WriteString(piece)
			continue
		}
		name, isGrouped := strings.CutSuffix(piece, ",")
		s := c.said(m.Args.value(name), shown)
		if isGrouped {
			s = grouped(s)
		}
		b.WriteString(s)
	}
	return b.String()
}

// said returns one value.
func (c *Catalogue) said(value any, shown func(any) string) string {
	switch v := value.(type) {
	case Message:
		return c.Say(v, shown)
	case List:
		all := make([]string, len(v))
		for i := range v {
			all[i] = c.said(v[i], shown)
		}
		return strings.Join(all, c.Text("list_comma"))
	case Sentences:
		all := make([]string, len(v))
		for i := range v {
			all[i] = c.Say(v[i], shown)
		}
		return strings.Join(all, " ")
	}
	return shown(value)
}

// value returns the value of a name, nil if none.
func (a Args) value(name string) any {
	for i := 0; i+1 < len(a); i += 2 {
		if a[i] == name {
			return a[i+1]
		}
	}
	return nil
}

// grouped writes commas between the thousands of a whole number; anything else is left as it is.
func grouped(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// MarshalJSON writes a list of messages apart from one of values.
func (s Sentences) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string][]Message{"sentences": s})
}

// UnmarshalJSON reads the values with the types that they had.
func (a *Args) UnmarshalJSON(data []byte) error {
	list, err := readList(data)
	*a = Args(list)
	return err
}

// readList reads a list of values.
func readList(data []byte) (List, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	var out List
	for _, one := range raw {
		value, err := readValue(one)
		if err != nil {
			return nil, err
		}
		out = append(out, value)
	}
	return out, nil
}

// readValue reads one value.
func readValue(data json.RawMessage) (any, error) {
	switch data = bytes.TrimSpace(data); {
	case bytes.HasPrefix(data, []byte("[")):
		return readList(data)
	case bytes.HasPrefix(data, []byte("{")):
		var one struct {
			Message
			Sentences []Message `json:"sentences"`
		}
		if err := json.Unmarshal(data, &one); err != nil {
			return nil, err
		}
		if one.Sentences != nil {
			return Sentences(one.Sentences), nil
		}
		return one.Message, nil
	}
	if n, err := strconv.Atoi(string(data)); err == nil {
		return n, nil
	}
	var value any
	err := json.Unmarshal(data, &value)
	return value, err
}

// Quoted returns a text as it stands between quotation marks, with signs that cannot be seen written out.
func Quoted(s string) string {
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}
