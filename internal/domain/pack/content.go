package pack

import "sanad/internal/domain/ledger"

// Format names the format of pack.json.
const Format = "sanad.evidence_pack/v1"

// Content is what pack.json holds: everything about a pack that never changes after submission. Status, approvals,
// holds, successor and digest are in Life (rule P-3).
type Content struct {
	Format     string `json:"format"`
	PackID     string `json:"pack_id"`
	TenantID   string `json:"tenant_id"`
	Version    int    `json:"version"` // 1, 2, 3 … along a chain
	Supersedes string `json:"supersedes,omitempty"`
	Header
	Requirement     Requirement      `json:"requirement"`
	CreatedAt       string           `json:"created_at"`
	RetainUntil     string           `json:"retain_until"`
	Sources         []EvidenceSource `json:"sources"`
	ToolCalls       []ToolCallRecord `json:"tool_calls"`
	Prompts         []PromptRecord   `json:"prompts"`
	Memo            BilingualMemo    `json:"memo"`
	Ledger          *Ledger          `json:"ledger,omitempty"`
	Attachments     []Attachment     `json:"attachments,omitempty"`
	Replay          *Replay          `json:"replay,omitempty"`
	EvidenceMapRoot string           `json:"evidence_map_root"` // hex
	ContentRoot     string           `json:"content_root"`      // hex; set by Freeze
	Blind           string           `json:"blind,omitempty"`   // hex; set by Freeze, see LeafBlind
}

// Attachment is a file of a pack; it is stored in the blob bucket.
type Attachment struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"`
	SHA256    string `json:"sha256"`
	Key       string `json:"-"` // in the bucket; assigned by the store
}

// Ledger is the copy of a ledger session that is made at submission.
type Ledger struct {
	SessionID string  `json:"session_id"`
	Revision  int     `json:"revision"`
	Query     string  `json:"query"`
	Entries   []Entry `json:"entries"`
}

// Entry is one claim as of submission: the machine's verdict, the effective one, the reviews, the snippet, the flags.
type Entry struct {
	ClaimID        string             `json:"claim_id"`
	Number         int                `json:"number"`
	ClaimText      string             `json:"claim_text"`
	ClaimType      ledger.ClaimType   `json:"claim_type"`
	Importance     ledger.Importance  `json:"importance"`
	MachineVerdict ledger.Verdict     `json:"machine_verdict"` // "" if no judge could judge it
	Verdict        ledger.Verdict     `json:"verdict"`         // the effective one
	Confidence     float64            `json:"confidence"`
	Notes          string             `json:"notes"`
	State          ledger.ReviewState `json:"state"`
	Snippet        string             `json:"snippet"`
	Document       string             `json:"document"` // file name, or title
	Page           int                `json:"page,omitempty"`
	Section        string             `json:"section,omitempty"`
	ChunkHash      string             `json:"chunk_hash,omitempty"`
	ChunkRoot      string             `json:"chunk_root,omitempty"`
	EvidenceID     string             `json:"evidence_id,omitempty"` // of the whole deciding chunk
	Reviews        []Review           `json:"reviews"`
	Flags          []ledger.RiskType  `json:"flags"`
}

// Review is what a person said about a claim.
type Review struct {
	Actor      string            `json:"actor"`
	Role       string            `json:"role"`
	At         string            `json:"at"`
	Action     ledger.Action     `json:"action"`
	Verdict    ledger.Verdict    `json:"verdict,omitempty"`
	Reason     string            `json:"reason,omitempty"`
	ClaimType  ledger.ClaimType  `json:"claim_type,omitempty"`
	Importance ledger.Importance `json:"importance,omitempty"`
}
