package importers

import (
	"encoding/json"
	"unicode"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/strictjson"
)

// MaxBundleRequest is the largest request for a bundle that is read, in bytes; longer texts go through the lake.
const MaxBundleRequest = 16 << 20

// MaxRunID is how many bytes the id of a run may have.
const MaxRunID = 200

// BundleRequest is the body of POST /bundles (rule B-15).
type BundleRequest struct {
	bundle.Request
	RunID string // the run that the bundle is for, "" if none
}

// bundleWire is the body as it comes. What a job holds beside evidence is the caller's; its damaged elements, and those
// of the references, are for bundle.Build to record.
type bundleWire struct {
	JobInput json.RawMessage `json:"job_input"`
	Refs     json.RawMessage `json:"evidence_refs"`
	Policy   policyWire      `json:"policy"` // what is not given has its default
	RunID    string          `json:"run_id"`
}

// policyWire has no reader of its own, so that Decode names the fault.
type policyWire bundle.Policy

// ReadBundleRequest reads a request strictly: the JSON as everywhere, the policy's fields by name. Errors are
// *domain.Error with the place of the fault.
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
		_ = json.Unmarshal(raw, &out.JobInput.ExtraParams.Evidence) // takes any JSON
	}
	if _, err := object(wire.Refs, "evidence_refs"); err != nil || wire.Refs == nil {
		return out, err
	}
	if err := json.Unmarshal(wire.Refs, &out.Refs); err != nil {
		return nil, domain.Invalidf("evidence_refs", "These references cannot be read.")
	}
	return out, nil
}

// object reads a JSON object that is known to be well-formed; nothing and null are an empty one.
func object(raw json.RawMessage, path string) (out map[string]json.RawMessage, err error) {
	if len(raw) > 0 && json.Unmarshal(raw, &out) != nil {
		return nil, domain.Invalidf(path, "This is no object.")
	}
	return out, nil
}

// CheckRunID tells why a text is no id of a run.
func CheckRunID(id string) error {
	for _, r := range id {
		if unicode.IsControl(r) {
			return domain.Invalidf("run_id", "The id of a run has no control characters.")
		}
	}
	if id == "" || len(id) > MaxRunID || !utf8.ValidString(id) {
		return domain.Invalidf("run_id", "The id of a run has 1 to %d bytes of UTF-8.", MaxRunID)
	}
	return nil
}
