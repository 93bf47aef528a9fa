package pack

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"sanad/internal/domain/audit"
)

// SignOffAction is the action of the event that records an approval; details hold the pack digest: {"digest": hex}.
const SignOffAction = "pack.approved"

// SignOff holds the details of that event.
type SignOff struct {
	Digest       string   `json:"digest"`
	Acknowledged []string `json:"acknowledged"`
	For          string   `json:"for"` // id of the person whose deputy the approver was, "" if none

	DelegatedAt int64 `json:"delegated_at,omitempty"` // place in the log of the event that named them, 0 if none
}

const tlogHeader = "c2sp.org/tlog-proof@v1\n"

// LogProof returns pack.tlog-proof: the proof that an approval's event is in the log, with the event's exact bytes in
// the extra-data line of C2SP tlog-proof.
func LogProof(p *audit.Proof, event []byte) string {
	rest := strings.TrimPrefix(p.String(), tlogHeader)
	return tlogHeader + "extra " + base64.StdEncoding.EncodeToString(event) + "\n" + rest
}

// ParseLogProof reads pack.tlog-proof. It accepts only the text that LogProof returns.
func ParseLogProof(text string) (audit.Proof, []byte, error) {
	p, err := audit.ParseProof(text)
	if err != nil {
		return audit.Proof{}, nil, malformed("refused_proof_log", err)
	}
	extra, _, _ := strings.Cut(strings.TrimPrefix(text, tlogHeader+"extra "), "\n")
	event, err := decode64(extra)
	if err != nil || LogProof(&p, event) != text {
		return audit.Proof{}, nil, malformed("refused_proof_does_hold", err)
	}
	return p, event, nil
}

// checkLog returns an error unless a proof shows that an approval of the pack is in the log that the Statement names.
// The Statement's signature covers the checkpoint, so no key of the log is needed.
func checkLog(text string, s *Statement) error {
	p, data, err := ParseLogProof(text)
	if err != nil {
		return err
	}
	at, err := claimed(p.Checkpoint)
	if err != nil {
		return malformed("refused_proof_holds_checkpoint", err)
	}
	if (LogCheckpoint{at.Origin(), at.Size, at.Root.String()}) != s.Predicate.LogCheckpoint {
		return malformed("refused_proof_another_checkpoint", nil)
	}
	head := audit.TreeHead{Epoch: at.Epoch, Size: at.Size, Root: at.Root}
	if err := p.Check(audit.LeafHash(data), head); err != nil {
		return malformed("refused_event_log", err)
	}
	return checkEvent(data, p.Index, s)
}

// claimed reads a checkpoint with one signature in canonical form. Only the log's keys can verify that signature.
func claimed(signed string) (audit.Checkpoint, error) {
	at, err := audit.Claimed(signed)
	if err != nil {
		return at, err
	}
	line := strings.TrimPrefix(signed, at.Body()+"\n— "+at.Origin()+" ")
	sig, err := decode64(strings.TrimSuffix(line, "\n"))
	if err != nil || len(line) == len(signed) || len(sig) != 4+ed25519.SignatureSize || !strings.HasSuffix(line, "\n") {
		return at, malformed("refused_checkpoint_signature", err)
	}
	return at, nil
}

// checkEvent returns an error unless an event records one of the Statement's approvals.
func checkEvent(data []byte, index int64, s *Statement) error {
	e, err := audit.ParseEvent(data)
	if err != nil {
		return malformed("refused_event_form_log", err)
	}
	var d SignOff
	if err := json.Unmarshal(e.Details, &d); err != nil {
		return malformed("refused_event_does_say", err)
	}
	ok := e.Action == SignOffAction && e.Tenant == s.Predicate.Tenant && e.Object == audit.Object{Kind: "pack",
		ID: s.Predicate.PackID} &&
		slices.ContainsFunc(s.Predicate.Approvals, func(a StatementApproval) bool {
			return a.LogIndex == index && a.Actor == e.Actor && a.ContentSHA256 == d.Digest &&
				slices.Equal(a.Acknowledged, d.Acknowledged) && a.isFor() == d.For && a.delegatedAt() == d.DelegatedAt
		})
	if !ok {
		return malformed("refused_event_approval_pack", nil)
	}
	return nil
}

// isFor returns the id of the person for whom a deputy approved, "" if the approver did so in their own name.
func (a *StatementApproval) isFor() string {
	if a.OnBehalfOf == nil {
		return ""
	}
	return a.OnBehalfOf.Actor
}

// delegatedAt returns the place in the log of the event that named the deputy, 0 if the approver was none. The first
// event of a log names nobody.
func (a *StatementApproval) delegatedAt() int64 {
	if a.OnBehalfOf == nil {
		return 0
	}
	return a.OnBehalfOf.LogIndex
}
