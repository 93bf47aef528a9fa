package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"sanad/internal/words"
)

// The addresses of resources.
const (
	ledgerPrefix = "sanad://ledgers/"
	packPrefix   = "sanad://packs/"
	jsonType     = "application/json"
)

// addPacks adds what drafts and reads evidence packs.
func (c *client) addPacks(s *sdk.Server) {
	add(s, &sdk.Tool{Name: "draft_pack", Title: "Draft an evidence pack", Annotations: stores(false),
		Description: "Opens the draft of an evidence pack for a decision of an AI system: one that is stored " +
			"(decision_id), or one given here (decision), which is stored first. Says what the draft still lacks. " +
			"People complete, submit and sign it on its page; no tool does. Needs the role reviewer."}, c.draft)
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "pack", Title: "Evidence pack", MIMEType: jsonType,
		URITemplate: packPrefix + "{pack_id}", Description: "An evidence pack with its state, as the API shows " +
			"it."}, c.readPack)
}

type draftInput struct {
	DecisionID string         `json:"decision_id,omitempty" jsonschema:"id of a stored decision"`
	Decision   decisionObject `json:"decision,omitempty" jsonschema:"as in POST /api/v1/decisions, instead of decision_id"`
}

// lack is a rule that a draft breaks.
type lack struct {
	Rule     int    `json:"rule,omitempty" jsonschema:"number of the rule"`
	Name     string `json:"name,omitempty"`
	Severity string `json:"severity,omitempty" jsonschema:"error: the draft cannot be submitted; warning: it can"`
	Path     string `json:"path,omitempty"`
	Detail   string `json:"detail"`
}

// demand is a rule of the sign-off policy.
type demand struct {
	Rule    string   `json:"rule"`
	Level   string   `json:"level" jsonschema:"must keeps the pack from being signed, warn does not"`
	Outcome string   `json:"outcome"`
	Message string   `json:"message,omitempty" jsonschema:"what people do about it"`
	Objects []string `json:"objects,omitempty" jsonschema:"claims, tool calls or approvers that break it"`
}

type draftOutput struct {
	PackID   string   `json:"pack_id"`
	Decision string   `json:"decision_id"`
	Status   string   `json:"status"`
	Address  string   `json:"address" jsonschema:"page on which people complete, submit and sign the pack"`
	Lacks    []lack   `json:"validation,omitempty" jsonschema:"what the draft still lacks"`
	Broken   []demand `json:"policy_broken,omitempty" jsonschema:"rules of the sign-off policy that it breaks now"`
	Warnings []string `json:"warnings,omitempty" jsonschema:"what of the decision was changed or left out"`
	LeftOut  int      `json:"left_out,omitempty" jsonschema:"how many of all these are not listed here"`
}

// decisionNames are the places of a decision that draft_pack is given.
var decisionNames = names{{"", "decision."}}

func (c *client) draft(ctx context.Context, in draftInput) (*draftOutput, error) {
	if (in.DecisionID == "") == (len(in.Decision) == 0) {
		return nil, errors.New("give either decision_id or decision")
	}
	kept := struct {
		DecisionID string    `json:"decision_id"`
		Warnings   []warning `json:"warnings"`
	}{DecisionID: in.DecisionID}
	if in.DecisionID == "" {
		if _, err := c.post(ctx, "/decisions", in.Decision, &kept); err != nil {
			return nil, decisionNames.of(err)
		}
	}
	var pack struct {
		PackID     string `json:"pack_id"`
		Status     string `json:"status"`
		Validation []lack `json:"validation"`
		Policy     struct {
			Rules []demand `json:"rules"`
		} `json:"policy"`
	}
	asked := map[string]string{"decision_id": kept.DecisionID}
	if _, err := c.post(ctx, "/packs", asked, &pack); err != nil {
		return nil, err
	}
	out := &draftOutput{PackID: pack.PackID, Decision: kept.DecisionID, Status: pack.Status, Lacks: pack.Validation,
		Broken: broken(pack.Policy.Rules), Address: c.base(ctx) + "/packs/" + url.PathEscape(pack.PackID)}
	for i := range out.Lacks {
		out.Lacks[i].Detail = cut(out.Lacks[i].Detail, maxText)
	}
	out.Warnings = told(kept.Warnings, decisionNames)
	out.LeftOut = shorten(&out.Lacks) + shorten(&out.Broken) + len(kept.Warnings) - len(out.Warnings)
	return out, nil
}

// broken returns the rules that are broken, with what people do about each.
func broken(rules []demand) (out []demand) {
	english := words.In("en")
	for _, r := range rules {
		if r.Outcome != "broken" {
			continue
		}
		if id := "policy.broken_" + r.Rule; english.Has(id) { // a newer server may have rules that are unknown here
			r.Message = english.Text(id)
		}
		r.Objects = r.Objects[:min(len(r.Objects), maxFaults)]
		out = append(out, r)
	}
	return out
}

func (c *client) readPack(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	id, err := segment("pack_id", strings.TrimPrefix(r.Params.URI, packPrefix))
	if err != nil {
		return nil, err
	}
	var got json.RawMessage
	out, err := bounded(&got, c.get(ctx, "/packs/"+id, nil, &got))
	return resource(r, out, err)
}

// resource answers with a value as JSON, which no cache may show to others. Whatever cannot be found under the address
// is unknown, as the SDK says it of addresses that are none of ours.
func resource(r *sdk.ReadResourceRequest, v any, err error) (*sdk.ReadResourceResult, error) {
	var gone *refused
	if errors.As(err, &gone) && gone.status == http.StatusNotFound {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return &sdk.ReadResourceResult{Cacheable: sdk.Cacheable{CacheScope: "private"}, Contents: []*sdk.ResourceContents{
		{URI: r.Params.URI, MIMEType: jsonType, Text: string(data)},
	}}, nil
}
