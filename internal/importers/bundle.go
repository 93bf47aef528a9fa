package importers

import (
	"encoding/json"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/strictjson"
)

// MaxBundleRequest is the maximum size of a request for a bundle, in bytes; longer texts go through the lake.
const MaxBundleRequest = 16 << 20

// MaxRunID is the maximum length of a run's id, in bytes.
const MaxRunID = 200

// BundleRequest is the body of POST /bundles (rule B-15).
type BundleRequest struct {
	bundle.Request
	RunID string // the run that the bundle is for; "" if none
}

// bundleWire is the request's body. The members of a job other than evidence belong to the caller; bundle.Build records
// damaged elements of evidence and references.
type bundleWire struct {
	JobInput json.RawMessage `json:"job_input"`
	Refs     json.RawMessage `json:"evidence_refs"`
	Policy   policyWire      `json:"policy"` // missing fields have their defaults
	RunID    string          `json:"run_id"`
}

// policyWire has no UnmarshalJSON, so that Decode can name the fault.
type policyWire bundle.Policy

// ReadBundleRequest reads a request: the JSON as strictly as everywhere, and the policy without unknown fields. Errors
// are *domain.Error with the place of the fault.
func ReadBundleRequest(data []byte) (*BundleRequest, error) {
	wire := bundleWire{Policy: policyWire(bundle.DefaultPolicy())}
	if err := Decode(data, &wire, strictjson.Options{MaxBytes: MaxBundleRequest}); err != nil {
		return nil, err
	}
	if err := CheckRunID(wire.RunID); wire.RunID != "" && err != nil {
		return nil, err
	}
	policy := bundle.Policy(wire.Policy)
	out := &BundleRequest{Request: bundle.Request{Policy: &policy}, RunID: wire.RunID}
	job, err := object(wire.JobInput, "job_input")
	if err != nil {
		return nil, err
	}
	params, err := object(job["extra_params"], "job_input.extra_params")
	if err != nil {
		return nil, err
	}
	if raw, ok := params["evidence"]; ok && string(raw) != "null" {
		if err := fewItems(raw, "job_input.extra_params.evidence"); err != nil {
			return nil, err
		}
		_ = json.Unmarshal(raw, &out.JobInput.ExtraParams.Evidence) // accepts any JSON
	}
	refs, err := object(wire.Refs, "evidence_refs")
	if err != nil || wire.Refs == nil {
		return out, err
	}
	for _, kind := range slices.Sorted(maps.Keys(refs)) {
		if err := fewItems(refs[kind], "evidence_refs."+kind); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(wire.Refs, &out.Refs); err != nil {
		return nil, domain.Refuse(domain.Invalid, "evidence_refs", "refused_references_unread")
	}
	return out, nil
}

// fewItems refuses a list of more items than any other may have: each becomes a source, whatever it holds.
func fewItems(raw json.RawMessage, path string) error {
	if len(raw) < 2*strictjson.MaxItems || raw[0] != '[' {
		return nil
	}
	err := strictjson.NewCursor(string(raw), 0).Items(func(i int) error {
		if i == strictjson.MaxItems {
			return domain.Refuse(domain.TooLarge, path, "json_items", "N", strictjson.MaxItems)
		}
		return nil
	})
	return domainFault(err)
}

// object reads a JSON object that is known to be well-formed; an absent or null one is empty.
func object(raw json.RawMessage, path string) (out map[string]json.RawMessage, err error) {
	if len(raw) > 0 && json.Unmarshal(raw, &out) != nil {
		return nil, domain.Refuse(domain.Invalid, path, "refused_not_object")
	}
	return out, nil
}

// CheckRunID returns an error if a text is not a valid id of a run.
func CheckRunID(id string) error {
	for _, r := range id {
		if unicode.IsControl(r) {
			return domain.Refuse(domain.Invalid, "run_id", "refused_run_id_control")
		}
	}
	if id == "" || len(id) > MaxRunID || !utf8.ValidString(id) {
		return domain.Refuse(domain.Invalid, "run_id", "refused_run_id_bytes", "N", MaxRunID)
	}
	return nil
}
