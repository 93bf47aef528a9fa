package importers

import (
	"encoding/json"
	"strings"

	"sanad/internal/words"
)

// Vercel AI SDK UIMessage (vercel/ai packages/ai/src/ui/ui-messages.ts, rule F-7): the texts of the last assistant
// message, its sources, which have no text and no place in the answer, and the output of its tools.

type vercelFile struct {
	vercelMessage
	Messages []vercelMessage `json:"messages"`
}

type vercelMessage struct {
	ID    string       `json:"id"`
	Role  string       `json:"role"`
	Parts []vercelPart `json:"parts"`
}

type vercelPart struct {
	Type     string          `json:"type"`
	Text     string          `json:"text"`
	SourceID string          `json:"sourceId"`
	URL      string          `json:"url"`
	Title    string          `json:"title"`
	Filename string          `json:"filename"`
	ToolName string          `json:"toolName"`
	Output   json.RawMessage `json:"output"`
	Error    string          `json:"errorText"`
	Approval *struct {
		Approved *bool  `json:"approved"`
		Reason   string `json:"reason"`
	} `json:"approval"`
}

// readVercel reads messages, as rows or in one object, as one conversation.
func readVercel(rows []row) ([]*draft, error) {
	d, answer := newDraft("", "parts"), 0
	var list []vercelMessage
	var paths []string
	for _, r := range rows {
		var f vercelFile
		if err := r.into(&f); err != nil {
			return nil, err
		}
		if f.Messages == nil {
			list, paths = append(list, f.vercelMessage), append(paths, r.path)
			continue
		}
		for i := range f.Messages {
			list, paths = append(list, f.Messages[i]), append(paths, joined(r.path, at("messages", i, "")))
		}
	}
	for i := range list {
		if list[i].Role == "assistant" {
			answer = i
		}
	}
	for i := range list[:answer] {
		if list[i].Role == "user" {
			d.head.Query = list[i].text()
		}
	}
	if len(list) > 0 {
		d.answerAt, d.head.ExternalID = joined(paths[answer], "parts"), list[answer].ID
		d.vercelParts(d.answerAt, list[answer].Parts)
	}
	return []*draft{d}, nil
}

func (m *vercelMessage) text() string {
	var all []string
	for _, p := range m.Parts {
		if p.Type == "text" {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n")
}

func (d *draft) vercelParts(path string, parts []vercelPart) {
	for i := range parts {
		p, here := &parts[i], at(path, i, "")
		switch {
		case p.Type == "text":
			d.say(p.Text, "\n\n")
		case p.Type == "source-url", p.Type == "source-document":
			s := d.source(here, p.SourceID)
			if s.uri, s.title = p.URL, p.Title; s.title == "" {
				s.title = p.Filename
			}
			d.skip(here, words.Msg("warning_source_bare"))
		case strings.HasPrefix(p.Type, "tool-"), p.Type == "dynamic-tool":
			d.vercelTool(here, p)
		}
	}
}

// vercelTool reads a tool's output, and whether a person approved the call.
func (d *draft) vercelTool(path string, p *vercelPart) {
	name := strings.TrimPrefix(p.Type, "tool-")
	if p.Type == "dynamic-tool" {
		name = p.ToolName
	}
	if a := p.Approval; a != nil {
		label := "open"
		if a.Approved != nil {
			label = map[bool]string{true: "approved", false: "denied"}[*a.Approved]
		}
		d.scores = append(d.scores,
			upstreamScore{Name: clipped("approval: "+name, 200), Label: label, Note: clipped(a.Reason, 2000)})
	}
	switch {
	case p.Error != "":
		d.skip(joined(path, "errorText"), words.Msg("warning_tool_failed"))
	case begins(p.Output) == '{', begins(p.Output) == '[', begins(p.Output) == '"':
		d.found(path+".output", p.Output)
	}
}
