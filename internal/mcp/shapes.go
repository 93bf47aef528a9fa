package mcp

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// The objects that a tool hands on to the API as they are given. Their shapes say to a model which fields there are, and
// of which kind; the API says what is missing and warns of what it does not read.
type (
	decisionObject map[string]any
	policyObject   map[string]any
)

// shapes are the structs that describe these objects.
var shapes = map[reflect.Type]reflect.Type{
	reflect.TypeFor[decisionObject](): reflect.TypeFor[decisionShape](),
	reflect.TypeFor[policyObject]():   reflect.TypeFor[policyShape](),
}

type decisionShape struct {
	ID         string        `json:"decision_id,omitempty" jsonschema:"required: your id of the decision"`
	Entity     string        `json:"entity_id,omitempty" jsonschema:"required: id of what it is about"`
	Agent      string        `json:"agent_name,omitempty" jsonschema:"required: the system that decided"`
	Model      string        `json:"model,omitempty" jsonschema:"required"`
	Version    string        `json:"model_version,omitempty" jsonschema:"required"`
	At         string        `json:"decided_at,omitempty" jsonschema:"required: when, as 2026-11-20T08:30:00Z"`
	Title      string        `json:"title,omitempty" jsonschema:"required"`
	Statement  string        `json:"statement,omitempty" jsonschema:"required: the decision in a sentence"`
	Arabic     string        `json:"statement_ar,omitempty" jsonschema:"the same in Arabic, of an English statement"`
	English    string        `json:"statement_en,omitempty" jsonschema:"the same in English, of an Arabic statement"`
	Approval   string        `json:"approval_class,omitempty" jsonschema:"required: A0 (no approval) to A3 (two approvers)"`
	Reverse    string        `json:"reversibility_class,omitempty" jsonschema:"required: R0 (fully reversible) to R3 (cannot be reversed)"`
	Sensitive  string        `json:"sensitivity_class,omitempty" jsonschema:"required: S0 (public) to S3 (restricted)"`
	Confidence *float64      `json:"confidence,omitempty" jsonschema:"required: the system's own, 0 to 1, or null"`
	Stakes     *bool         `json:"high_stakes,omitempty"`
	Window     *int          `json:"data_freshness_window_hours,omitempty" jsonschema:"how old sources may be at the decision"`
	Session    string        `json:"ledger_session_id,omitempty" jsonschema:"session of Sanad with the claims of the answer"`
	Trace      string        `json:"trace_id,omitempty"`
	Evidence   []sourceShape `json:"evidence,omitempty" jsonschema:"what was consulted"`
	Calls      []callShape   `json:"tool_calls,omitempty" jsonschema:"what the system did"`
	Prompts    []promptShape `json:"prompts,omitempty"`
	Memo       *memoShape    `json:"memo,omitempty"`
}

type sourceShape struct {
	Source     string   `json:"source,omitempty" jsonschema:"required: its name"`
	URI        string   `json:"uri,omitempty" jsonschema:"its address, or internal_ref"`
	Ref        string   `json:"internal_ref,omitempty"`
	Retrieved  string   `json:"retrieved_at,omitempty" jsonschema:"required: when, as 2026-11-20T08:30:00Z"`
	Confidence *float64 `json:"confidence,omitempty" jsonschema:"0 to 1"`
	Kind       string   `json:"kind,omitempty" jsonschema:"document, record, tool or model_output"`
	Sensitive  string   `json:"sensitivity_class,omitempty" jsonschema:"S0 to S3; the text of S3 is not kept"`
	Excerpt    string   `json:"excerpt,omitempty" jsonschema:"the words that matter"`
	Hash       string   `json:"excerpt_hash,omitempty" jsonschema:"sha256: and hex, of an excerpt that is not given (S3)"`
	Content    string   `json:"content_hash,omitempty"`
	Root       string   `json:"chunk_root,omitempty"`
	From       *int     `json:"offset_start,omitempty" jsonschema:"code points within the passage"`
	To         *int     `json:"offset_end,omitempty"`
	Evidence   string   `json:"evidence_id,omitempty"`
}

type callShape struct {
	ID       string   `json:"id,omitempty"`
	Tool     string   `json:"tool_name,omitempty" jsonschema:"required"`
	Intended string   `json:"intended_action,omitempty" jsonschema:"what it was to do"`
	Actual   string   `json:"actual_action,omitempty" jsonschema:"what it really did"`
	Inputs   any      `json:"inputs,omitempty"`
	Outputs  any      `json:"outputs,omitempty"`
	Effects  []string `json:"side_effects,omitempty"`
	Verified string   `json:"verification_status,omitempty" jsonschema:"verified, unverified or failed"`
	Departed *bool    `json:"contradiction_flag,omitempty" jsonschema:"whether it did something else than intended"`
	Started  string   `json:"started_at,omitempty"`
	Ended    string   `json:"ended_at,omitempty"`
	Error    string   `json:"error,omitempty"`
	Class    string   `json:"sensitivity_class,omitempty" jsonschema:"S0 to S3; inputs and outputs of S3 are not kept"`
}

type promptShape struct {
	Name    string `json:"template_name,omitempty"`
	Version string `json:"template_version,omitempty"`
	Hash    string `json:"rendered_hash,omitempty" jsonschema:"sha256: and hex, of the prompt as it was sent"`
}

type memoShape struct {
	TitleEN   string `json:"title_en,omitempty"`
	TitleAR   string `json:"title_ar,omitempty"`
	SummaryEN string `json:"executive_summary_en,omitempty"`
	SummaryAR string `json:"executive_summary_ar,omitempty"`
	BodyEN    string `json:"body_en,omitempty"`
	BodyAR    string `json:"body_ar,omitempty"`
}

type policyShape struct {
	Items    *int   `json:"max_items,omitempty"`
	Bytes    *int   `json:"max_total_bytes,omitempty"`
	Item     *int   `json:"max_item_bytes,omitempty"`
	Rows     *int   `json:"max_sql_rows,omitempty"`
	Columns  *int   `json:"max_sql_cols,omitempty"`
	Sampling string `json:"sampling_strategy,omitempty" jsonschema:"what is kept of more rows"`
	Chunk    *int   `json:"chunk_size,omitempty" jsonschema:"code points"`
	Overlap  *int   `json:"chunk_overlap,omitempty" jsonschema:"code points"`
	Redact   *bool  `json:"enable_redaction,omitempty"`
}

// opened has a schema of a handed-on object take fields that it does not describe, of which the API warns, and null, which
// the API takes for a missing value.
func opened(s *jsonschema.Schema) {
	s.AdditionalProperties = nil
	for _, p := range s.Properties {
		if p.Type != "" {
			p.Type, p.Types = "", []string{"null", p.Type}
		}
		opened(p)
	}
	if s.Items != nil {
		opened(s.Items)
	}
}

// inputSchema describes the arguments of a tool.
func inputSchema[In any]() *jsonschema.Schema {
	described := map[reflect.Type]*jsonschema.Schema{}
	for object, shape := range shapes {
		s, err := jsonschema.ForType(shape, &jsonschema.ForOptions{})
		if err != nil {
			panic(err) // a struct of this file
		}
		opened(s)
		described[object] = s
	}
	s, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: described})
	if err != nil {
		panic(err) // a struct of this package
	}
	return s
}
