package views

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed locales/*.json
var localeFiles embed.FS

// catalogue is one language's messages. Messages without a placeholder are kept apart, as plain look-ups: a ledger page
// shows hundreds of them.
type catalogue struct {
	fixed  map[string]string
	filled *i18n.Localizer
}

// catalogues holds the languages of the interface.
var catalogues = mustLoad("en", "ar")

// mustLoad reads the embedded message files; a broken one is a fault of the build, so it panics at start.
func mustLoad(langs ...string) map[string]*catalogue {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	out := map[string]*catalogue{}
	for _, lang := range langs {
		name := "locales/" + lang + ".json"
		if _, err := bundle.LoadMessageFileFS(localeFiles, name); err != nil {
			panic(err)
		}
		out[lang] = &catalogue{fixed: fixedMessages(name), filled: i18n.NewLocalizer(bundle, lang)}
	}
	return out
}

// fixedMessages picks the messages that are one plain string.
func fixedMessages(name string) map[string]string {
	data, err := localeFiles.ReadFile(name)
	if err != nil {
		panic(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		panic(fmt.Sprintf("%s: %v", name, err))
	}
	out := map[string]string{}
	for id, v := range all {
		if s, ok := v.(string); ok && !strings.Contains(s, "{{") {
			out[id] = s
		}
	}
	return out
}

// text gives a message; args are name, value, name, value … for its placeholders. An unknown id shows itself, and a
// test keeps that from happening.
func (c *catalogue) text(id string, args ...any) string {
	if s, ok := c.fixed[id]; ok {
		return s
	}
	return c.localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: data(args)})
}

// plural gives the message form for count, which stands in it as {{.N}} in the reader's digits.
func (c *catalogue) plural(id string, count int, shown string, args ...any) string {
	d := data(args)
	d["N"] = shown
	return c.localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: d, PluralCount: count})
}

func (c *catalogue) localize(cfg *i18n.LocalizeConfig) string {
	s, err := c.filled.Localize(cfg)
	if err != nil {
		return cfg.MessageID
	}
	return s
}

func data(args []any) map[string]any {
	d := make(map[string]any, len(args)/2+1)
	for i := 0; i+1 < len(args); i += 2 {
		d[args[i].(string)] = args[i+1]
	}
	return d
}
