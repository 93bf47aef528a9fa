// Package words is the catalogue of all messages that people read, in English and Arabic. It is pure: the messages are
// embedded; those of a language are read when one is first asked for, and each look-up reads a map.
//
// The files are in messages, one per use and language: interface for the pages, which the documents use too; pdf and
// packfile for what those documents word differently; rules for the rules that a pack is checked against, policy for
// those of sign-off, refusals for what forms say of a refusal, refused for what programs are told of one (see FormWord
// in views/ui), warnings for what an import warns of. The texts of memo and exported are frozen: they become part of
// what is stored, signed or exported, and a test pins them.
package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed messages
var files embed.FS

// Langs lists the languages of the catalogue.
var Langs = []string{"en", "ar"}

// Catalogue holds the messages of one language.
type Catalogue struct {
	lang     string
	messages func() map[string]message // read at the first call, so that a start need not wait for it
}

// message is one text or, if it contains a count, one text for each plural form.
type message struct {
	text  template
	forms map[string]template // by plural form; nil if it contains no count
}

var catalogues = func() map[string]*Catalogue {
	out := map[string]*Catalogue{}
	for _, lang := range Langs {
		out[lang] = &Catalogue{lang: lang, messages: sync.OnceValue(func() map[string]message { return mustLoad(lang) })}
	}
	return out
}()

// In returns the catalogue of a language, or nil if it is not in Langs.
func In(lang string) *Catalogue { return catalogues[lang] }

// mustLoad reads the embedded files of a language, NAME.LANG.json and NAME.LANG.md. An invalid file is a build error,
// so it panics.
func mustLoad(lang string) map[string]message {
	entries, err := files.ReadDir("messages")
	if err != nil {
		panic(err)
	}
	out := messages{}
	for _, e := range entries {
		name := e.Name()
		base := strings.TrimSuffix(name, path.Ext(name))
		of := strings.TrimPrefix(path.Ext(base), ".")
		if !slices.Contains(Langs, of) {
			panic(name + ": the name of the file ends in no language of the catalogue")
		}
		if of != lang {
			continue
		}
		if err := out.load(name, strings.TrimSuffix(base, "."+lang)); err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
	}
	return out
}

// messages are those of one language, by id.
type messages map[string]message

// load adds the messages of one file. A Markdown file is one message, named after the file.
func (m messages) load(file, base string) error {
	data, err := files.ReadFile("messages/" + file)
	if err != nil {
		return err
	}
	if path.Ext(file) == ".md" {
		return m.add(base, message{text: parse(string(data))})
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	for id, raw := range all {
		one, err := parseMessage(raw)
		if err != nil {
			return fmt.Errorf("%q: %w", id, err)
		}
		if err := m.add(id, one); err != nil {
			return err
		}
	}
	return nil
}

func (m messages) add(id string, one message) error {
	if _, twice := m[id]; twice {
		return fmt.Errorf("%q is in another file too", id)
	}
	m[id] = one
	return nil
}

func parseMessage(raw json.RawMessage) (message, error) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return message{text: parse(one)}, nil
	}
	var forms map[string]string
	if err := json.Unmarshal(raw, &forms); err != nil {
		return message{}, err
	}
	m := message{forms: map[string]template{}}
	for form, s := range forms {
		if !slices.Contains(pluralForms, form) {
			return message{}, fmt.Errorf("there is no plural form %q", form)
		}
		m.forms[form] = parse(s)
	}
	other, ok := m.forms["other"]
	if !ok {
		return message{}, fmt.Errorf(`the plural form "other" is missing`)
	}
	m.text = other
	return m, nil
}

// Lang returns the language: "en" or "ar".
func (c *Catalogue) Lang() string { return c.lang }

// Has reports whether there is a message with this id.
func (c *Catalogue) Has(id string) bool {
	_, ok := c.messages()[id]
	return ok
}

// Text returns the message id; args are name, value, name, value … for its placeholders. An unknown id is returned
// unchanged: some ids end in a value that comes from a file or a later version.
func (c *Catalogue) Text(id string, args ...any) string {
	m, ok := c.messages()[id]
	if !ok {
		return id
	}
	return m.text.fill(args)
}

// Plural returns the form of message id for count. The form contains the count as {{.N}}, which is replaced by shown,
// the count in the reader's digits. A form "zero" is used for a count of 0, even if the language has no such plural
// form.
func (c *Catalogue) Plural(id string, count int, shown string, args ...any) string {
	m, ok := c.messages()[id]
	if !ok {
		return id
	}
	return m.form(c.lang, count).fill(append([]any{"N", shown}, args...))
}

// form returns the form of a message for count.
func (m *message) form(lang string, count int) template {
	if none, has := m.forms["zero"]; has && count == 0 {
		return none
	}
	if t, has := m.forms[pluralForm(lang, count)]; has {
		return t
	}
	return m.text
}
