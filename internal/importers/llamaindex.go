package importers

import (
	"encoding/json"
	"fmt"

	"sanad/internal/words"
)

// LlamaIndex (llama_index/core/schema.py and base/llms/types.py): a response with its source nodes, and messages whose
// blocks are texts and citations.

type llamaFile struct {
	Query    string          `json:"query"`
	Response json.RawMessage `json:"response"` // a text
	Answer   string          `json:"answer"`
	Nodes    []llamaScored   `json:"source_nodes"`
	Blocks   []llamaBlock    `json:"blocks"`
	Message  *struct {
		Blocks []llamaBlock `json:"blocks"`
	} `json:"message"`
}

type llamaScored struct {
	Node llamaNode `json:"node"`
}

type llamaNode struct {
	ID       string                     `json:"id_"`
	Text     string                     `json:"text"`
	Resource *llamaText                 `json:"text_resource"`
	Metadata map[string]json.RawMessage `json:"metadata"`
}

type llamaText struct {
	Text string `json:"text"`
}

type llamaBlock struct {
	Kind   string    `json:"block_type"`
	Text   string    `json:"text"`
	Cited  llamaText `json:"cited_content"`
	Source string    `json:"source"`
	Title  string    `json:"title"`
}

func readLlamaIndex(r row) (*draft, error) {
	var f llamaFile
	if err := r.into(&f); err != nil {
		return nil, err
	}
	d := newDraft(r.path, "response")
	d.head.Query = f.Query
	for i := range f.Nodes {
		d.llamaNode(joined(r.path, at("source_nodes", i, "node")), &f.Nodes[i].Node)
	}
	blocks, path := f.Blocks, "blocks"
	if f.Message != nil {
		blocks, path = f.Message.Blocks, "message.blocks"
	}
	if len(blocks) > 0 {
		d.answerAt = joined(r.path, path)
		d.llamaBlocks(d.answerAt, blocks)
		return d, nil
	}
	answer := f.Answer
	if begins(f.Response) == '"' {
		if err := sub(joined(r.path, "response"), f.Response, &answer); err != nil {
			return nil, err
		}
	}
	d.say(answer, "")
	return d, nil
}

// llamaNode takes a node; those of one file are one document.
func (d *draft) llamaNode(path string, n *llamaNode) {
	said, known := n.Text, texts(n.Metadata)
	if said == "" && n.Resource != nil {
		said = n.Resource.Text
	}
	id := known["file_name"]
	if id == "" {
		id = n.ID
	}
	if id == "" {
		id = fmt.Sprintf("node %d", len(d.sources)+1)
	}
	if blank(said) {
		d.skip(joined(path, "text"), words.Msg("warning_node_words"))
		return
	}
	s := d.source(path, id)
	if s.title == "" {
		s.title = known["title"] + known["file_name"]
	}
	if s.uri == "" {
		s.uri = known["file_path"]
	}
	s.add(part{path: path, text: said, page: pageOf(n.Metadata)})
}

// llamaBlocks takes the answer's blocks; a citation is of the text before it.
func (d *draft) llamaBlocks(path string, blocks []llamaBlock) {
	before := d.say("", "")
	for i := range blocks {
		b, here := &blocks[i], at(path, i, "")
		switch b.Kind {
		case "text", "":
			before = d.say(b.Text, "")
		case "citation":
			m := mark{path: here, kind: "citation", shown: quoted{words: b.Cited.Text},
				source: d.known(b.Source, b.Title)}
			if before.Len() > 0 {
				sp := before
				m.said = quoted{from: &sp.Start, to: &sp.End}
			}
			if m.source == nil {
				m.source = d.source(here, b.Source)
				m.source.title = b.Title
			}
			d.marks = append(d.marks, m)
		default:
			d.skip(here, words.Msg("warning_block_kind"))
		}
	}
}
