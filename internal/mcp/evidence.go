package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addEvidence adds what finds and packs evidence.
func (c *client) addEvidence(s *sdk.Server) {
	add(s, &sdk.Tool{Name: "search_evidence", Title: "Search claims and documents", Annotations: reads(),
		Description: "Searches everything that the organisation has stored: claims with their verdicts, answers, " +
			"passages of documents, and notes of reviewers. In English and Arabic. Use kind passage to look for " +
			"sources."}, c.search)
	add(s, &sdk.Tool{Name: "resolve_citation", Title: "Resolve a citation", Annotations: reads(),
		Description: "Finds the passages that a citation such as [cite:b8b859ac] points to: their sessions, " +
			"documents and pages."}, c.citation)
	add(s, &sdk.Tool{Name: "pack_sources", Title: "Pack retrieved sources", Annotations: reads(),
		Description: "Turns the results of a retriever into a short, ordered list of sources to show beside an " +
			"answer. Stores nothing."},
		c.packSources)
	add(s, &sdk.Tool{Name: "build_bundle", Title: "Build an evidence bundle", Annotations: stores(true),
		Description: "Stores the evidence that a model is given as a bundle, bounded, redacted and reproducible, " +
			"and returns its id and what was cut, left out or could not be read. Needs the role reviewer."}, c.bundle)
}

type searchInput struct {
	Query   string `json:"query" jsonschema:"the words to look for"`
	Kind    string `json:"kind,omitempty" jsonschema:"only claim, answer, passage or note"`
	Verdict string `json:"verdict,omitempty" jsonschema:"only claims with this verdict"`
	After   string `json:"after,omitempty" jsonschema:"next of the answer before, for more"`
	Limit   int    `json:"limit,omitempty" jsonschema:"at most so many results, up to 50; by default 20"`
}

// The number of results that are told at once.
const (
	defaultFound = 20
	maxFound     = 50
)

// found is a result of a search.
type found struct {
	Kind       string `json:"kind"`
	SessionID  string `json:"session_id"`
	Session    string `json:"session_title"`
	Claim      int    `json:"claim,omitempty" jsonschema:"number of the claim"`
	Verdict    string `json:"verdict,omitempty"`
	DocumentID string `json:"document_id,omitempty"`
	Document   string `json:"document,omitempty"`
	Page       int    `json:"page,omitempty"`
	Withdrawn  bool   `json:"withdrawn,omitempty" jsonschema:"the document is out of use: do not rely on it"`
	Excerpt    string `json:"excerpt"`
	Address    string `json:"address"`
}

type searchOutput struct {
	Results []found `json:"results"`
	Next    string  `json:"next,omitempty" jsonschema:"give it as after to get more"`
}

func (c *client) search(ctx context.Context, in searchInput) (*searchOutput, error) {
	if in.Limit < 0 || in.Limit > maxFound {
		return nil, fmt.Errorf("limit: 1 to %d", maxFound)
	}
	if in.Limit == 0 {
		in.Limit = defaultFound
	}
	query := url.Values{"q": {in.Query}, "limit": {strconv.Itoa(in.Limit)}}
	for name, v := range map[string]string{"kind": in.Kind, "verdict": in.Verdict, "after": in.After} {
		if v != "" {
			query.Set(name, v)
		}
	}
	var got struct {
		Results []struct {
			Kind         string  `json:"kind"`
			SessionID    string  `json:"session_id"`
			SessionTitle string  `json:"session_title"`
			Claim        int     `json:"claim"`
			Verdict      string  `json:"verdict"`
			DocumentID   string  `json:"document_id"`
			Document     string  `json:"document"`
			Page         int     `json:"page"`
			Withdrawn    bool    `json:"withdrawn"`
			URL          string  `json:"url"`
			Excerpt      excerpt `json:"excerpt"`
		} `json:"results"`
		Next *string `json:"next"`
	}
	if err := c.get(ctx, "/search", query, &got); err != nil {
		return nil, names{{"q", "query"}}.of(err)
	}
	out := &searchOutput{Results: make([]found, len(got.Results))}
	for i, r := range got.Results {
		out.Results[i] = found{
			Kind: r.Kind, SessionID: r.SessionID, Session: cut(r.SessionTitle, maxName), Claim: r.Claim,
			Verdict:    r.Verdict,
			DocumentID: r.DocumentID, Document: cut(r.Document, maxName), Page: r.Page, Withdrawn: r.Withdrawn,
			Excerpt: cut(r.Excerpt.Text, maxSnippet), Address: c.base(ctx) + r.URL,
		}
	}
	if got.Next != nil {
		out.Next = *got.Next
	}
	return out, nil
}

type excerpt struct {
	Text string `json:"text"`
}

type citationInput struct {
	Citation string `json:"citation" jsonschema:"8 or more digits of a passage's hash, alone or as [cite:b8b859ac]"`
}

func (c *client) citation(ctx context.Context, in citationInput) (any, error) {
	hash := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(in.Citation), "[cite:"), "]")
	hash, err := segment("citation", hash)
	if err != nil {
		return nil, err
	}
	var got json.RawMessage
	return bounded(&got, c.get(ctx, "/citations/"+hash, nil, &got))
}

// bounded returns an answer of the API as it is, unless it is too long to be told.
func bounded(answer *json.RawMessage, err error) (any, error) {
	if err == nil && len(*answer) > maxTold {
		err = fmt.Errorf("the answer has %d KiB, more than the %d that are told here; ask for "+
			"less", len(*answer)>>10, maxTold>>10)
	}
	if err != nil {
		return nil, err
	}
	return *answer, nil
}

type candidate struct {
	ItemID   string         `json:"item_id" jsonschema:"id of the document"`
	Kind     string         `json:"kind,omitempty"`
	Title    string         `json:"title,omitempty"`
	URL      string         `json:"url,omitempty"`
	Summary  string         `json:"summary,omitempty"`
	Content  string         `json:"content,omitempty"`
	Score    *float64       `json:"score,omitempty" jsonschema:"of the retriever; the highest comes first"`
	Rank     *int           `json:"rank,omitempty" jsonschema:"of the retriever; the lowest comes first"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

type chunk struct {
	ItemID string   `json:"item_id" jsonschema:"item_id of a candidate"`
	Text   string   `json:"text"`
	Score  *float64 `json:"score,omitempty"`
}

// packOptions are those of POST /sources:pack.
type packOptions struct {
	MaxSources *int     `json:"max_sources,omitempty" jsonschema:"by default 6"`
	Order      string   `json:"order_by,omitempty" jsonschema:"score, rank or input"`
	Snippet    *int     `json:"max_snippet_chars,omitempty" jsonschema:"code points of a snippet, by default 360"`
	Chunks     *bool    `json:"prefer_chunk_snippets,omitempty" jsonschema:"snippets of the chunks before summaries"`
	Snippets   *int     `json:"snippets_per_source,omitempty" jsonschema:"by default 1"`
	Include    []string `json:"include_metadata_keys,omitempty" jsonschema:"exactly these keys of metadata"`
	Exclude    []string `json:"exclude_metadata_keys,omitempty" jsonschema:"keys of metadata that are left out"`
	Debug      bool     `json:"debug,omitempty" jsonschema:"also say how each source was chosen"`
}

type packInput struct {
	Candidates []candidate `json:"candidates" jsonschema:"the documents that retrieval found"`
	Chunks     []chunk     `json:"evidence_chunks,omitempty" jsonschema:"the passages that retrieval found in them"`
	Options    packOptions `json:"options,omitempty"`
}

func (c *client) packSources(ctx context.Context, in packInput) (any, error) {
	var got json.RawMessage
	_, err := c.post(ctx, "/sources:pack", in, &got)
	return bounded(&got, err)
}

type inline struct {
	Text      string `json:"text"`
	SourceURI string `json:"source_uri,omitempty" jsonschema:"where the text comes from"`
}

type bundleDocument struct {
	DocumentID string `json:"document_id"`
	Text       string `json:"text,omitempty" jsonschema:"its words, or lake_uri"`
	LakeURI    string `json:"lake_uri,omitempty" jsonschema:"its place in the lake"`
}

type bundleInput struct {
	Texts     []inline         `json:"texts,omitempty" jsonschema:"evidence as words"`
	Documents []bundleDocument `json:"documents,omitempty"`
	LakeText  []string         `json:"lake_text,omitempty" jsonschema:"places of texts in the lake"`
	Policy    policyObject     `json:"policy,omitempty" jsonschema:"bounds and redaction, as in POST /api/v1/bundles"`
	RunID     string           `json:"run_id,omitempty" jsonschema:"id of the run that is given the bundle"`
}

// request returns the body of POST /bundles.
func (in *bundleInput) request() map[string]any {
	refs := map[string]any{}
	if len(in.Documents) > 0 {
		refs["documents"] = in.Documents
	}
	if len(in.LakeText) > 0 {
		refs["lake_text"] = in.LakeText
	}
	evidence := in.Texts
	if evidence == nil {
		evidence = []inline{}
	}
	out := map[string]any{
		"job_input":     map[string]any{"extra_params": map[string]any{"evidence": evidence}},
		"evidence_refs": refs,
	}
	if in.Policy != nil {
		out["policy"] = in.Policy
	}
	if in.RunID != "" {
		out["run_id"] = in.RunID
	}
	return out
}

// bundleItem is an item of a bundle without its content.
type bundleItem struct {
	EvidenceID string `json:"evidence_id"`
	Type       string `json:"evidence_type"`
	Bytes      int    `json:"byte_count"`
}

type failedSource struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

type bundleOutput struct {
	BundleID string            `json:"bundle_id"`
	Address  string            `json:"address"`
	Items    []bundleItem      `json:"items"`
	Dropped  []json.RawMessage `json:"dropped_items,omitempty" jsonschema:"what did not fit"`
	Failed   []failedSource    `json:"failed_sources,omitempty" jsonschema:"what could not be read"`
	LeftOut  int               `json:"left_out,omitempty" jsonschema:"how many of these rows are not listed here"`
}

// maxRows is how many rows of a list are told.
const maxRows = 100

// bundleNames are the places of a request that build_bundle fills.
var bundleNames = names{{"job_input.extra_params.evidence", "texts"}, {"evidence_refs.documents", "documents"},
	{"evidence_refs.lake_text", "lake_text"}}

func (c *client) bundle(ctx context.Context, in bundleInput) (*bundleOutput, error) {
	var out bundleOutput
	if _, err := c.post(ctx, "/bundles", in.request(), &out); err != nil {
		return nil, bundleNames.of(err)
	}
	out.Address = c.base(ctx) + "/bundles/" + url.PathEscape(out.BundleID)
	out.LeftOut = shorten(&out.Items) + shorten(&out.Dropped) + shorten(&out.Failed)
	return &out, nil
}

// shorten cuts a list to what may be told of it, a third of an answer, and returns how many rows are left out.
func shorten[T any](rows *[]T) int {
	told := fitting((*rows)[:min(len(*rows), maxRows)], maxTold/3)
	left := len(*rows) - told
	*rows = (*rows)[:told]
	return left
}
