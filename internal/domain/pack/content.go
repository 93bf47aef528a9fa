package pack

import (
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// Format names the format of pack.json.
const Format = "sanad.evidence_pack/v2"

// Content is what pack.json holds: everything about a pack that never changes after submission. Status, approvals,
// holds, successor and digest are in Life (rule P-3).
type Content struct {
	Format     string `json:"format"`
	PackID     string `json:"pack_id"`
	TenantID   string `json:"tenant_id"`
	Version    int    `json:"version"` // 1, 2, 3 … along a chain
	Supersedes string `json:"supersedes,omitempty"`
	Header
	Requirement Requirement   `json:"requirement"`
	Policy      *PolicyRecord `json:"policy"`
	Alarms      []Alarm       `json:"alarms,omitempty"` // set by Freeze
	CreatedAt   string        `json:"created_at"`
	RetainUntil string        `json:"retain_until"`

	// OneAdministrator says that the tenant had one administrator, or several who count as one person, at submission.
	OneAdministrator bool `json:"one_administrator,omitempty"`

	Sources         []EvidenceSource `json:"sources"`
	ToolCalls       []ToolCallRecord `json:"tool_calls"`
	Prompts         []PromptRecord   `json:"prompts"`
	Memo            BilingualMemo    `json:"memo"`
	MemoBy          string           `json:"memo_by,omitempty"` // AgentMemo while it is as the agent wrote it
	Mended          []Mend           `json:"mended,omitempty"`  // how it differs from the decision as received
	Ledger          *Ledger          `json:"ledger,omitempty"`
	Attachments     []Attachment     `json:"attachments,omitempty"`
	Replay          *Replay          `json:"replay,omitempty"`
	EvidenceMapRoot string           `json:"evidence_map_root"` // hex
	ContentRoot     string           `json:"content_root"`      // hex; set by Freeze
	Blind           string           `json:"blind,omitempty"`   // hex; set by Freeze, see LeafBlind
}

// AgentMemo says that a memo came with the decision and no person has changed it.
const AgentMemo = "agent"

// Attachment is a file of a pack; it is stored in the blob bucket.
type Attachment struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"`
	SHA256    string `json:"sha256"`
	Key       string `json:"-"` // in the bucket; assigned by the store
}

// MaxAttachments is how many files a pack has at most, and MaxAttachment how many bytes each of them.
const (
	MaxAttachments = 200
	MaxAttachment  = 10 << 20
)

// HasFile reports whether a pack has the file with a digest.
func (c *Content) HasFile(sha256 string) bool {
	return slices.ContainsFunc(c.Attachments, func(a Attachment) bool { return a.SHA256 == sha256 })
}

// Attach adds a file to a draft; the same file is attached once.
func (c *Content) Attach(a Attachment) error {
	for i := range c.Attachments {
		if c.Attachments[i].SHA256 == a.SHA256 {
			return domain.Refuse(domain.Conflict, "", "refused_attached", "Name", words.Quoted(c.Attachments[i].Name))
		}
	}
	if len(c.Attachments) >= MaxAttachments {
		return domain.Refuse(domain.TooLarge, "file", "fault_attach_many", "N", MaxAttachments)
	}
	c.Attachments = append(append([]Attachment{}, c.Attachments...), a)
	return nil
}

// Detach removes a file from a draft, and returns it.
func (c *Content) Detach(sha256 string) (Attachment, error) {
	i := slices.IndexFunc(c.Attachments, func(a Attachment) bool { return a.SHA256 == sha256 })
	if i < 0 {
		return Attachment{}, &domain.Error{Kind: domain.NotFound, Message: words.Msg("refused_pack_such_file")}
	}
	a := c.Attachments[i]
	c.Attachments = slices.Delete(slices.Clone(c.Attachments), i, i+1)
	return a, nil
}

// Ledger is the copy of a ledger session that is made at submission.
type Ledger struct {
	SessionID string  `json:"session_id"`
	Revision  int     `json:"revision"`
	Query     string  `json:"query"`
	JudgedAt  string  `json:"judged_at,omitempty"` // when the newest judgement was made
	Entries   []Entry `json:"entries"`
	// the claims that no longer count: no claims, and replaced ones, with the reviews that say so
	SetAside []Entry `json:"set_aside,omitempty"`
}

// Entry is one claim as of submission: the machine's verdict, the effective one, the reviews, the snippet, the flags.
type Entry struct {
	ClaimID        string            `json:"claim_id"`
	Number         int               `json:"number"`
	ClaimText      string            `json:"claim_text"`
	ClaimType      ledger.ClaimType  `json:"claim_type"`
	Importance     ledger.Importance `json:"importance"`
	MachineVerdict ledger.Verdict    `json:"machine_verdict"` // "" if no judge could judge it
	Verdict        ledger.Verdict    `json:"verdict"`         // the effective one
	Confidence     float64           `json:"confidence"`
	// the machine's one figure as pages and PDF show it, 0 and "" where it has none (ledger.Entry.Shown)
	Figure       float64                 `json:"figure"`
	FigureSource ledger.ConfidenceSource `json:"figure_source,omitempty"`
	Tier         ledger.Tier             `json:"tier,omitempty"` // of the machine's verdict
	Notes        string                  `json:"notes"`
	State        ledger.ReviewState      `json:"state"`
	Snippet      string                  `json:"snippet"`
	Document     string                  `json:"document"` // file name, or title
	Page         int                     `json:"page,omitempty"`
	Section      string                  `json:"section,omitempty"`
	Scanned      bool                    `json:"scanned,omitempty"` // the passage was read from a picture, by OCR
	ChunkHash    string                  `json:"chunk_hash,omitempty"`
	ChunkRoot    string                  `json:"chunk_root,omitempty"`
	EvidenceID   string                  `json:"evidence_id,omitempty"` // of the whole deciding chunk
	Reviews      []Review                `json:"reviews"`
	Flags        []ledger.RiskType       `json:"flags"`

	// what the checks of the answer's own citations and quotations found
	Citations  []Citation  `json:"citations,omitempty"`
	Quotations []Quotation `json:"quotations,omitempty"`
	Absent     int         `json:"absent_snippets,omitempty"` // how many given snippets are not in their source
}

// Shown is the snippet as a reader sees it: without its marks if the document is a Markdown file.
func (e *Entry) Shown() string { return shownOf(e.Document, e.Snippet) }

// ShownNotes are the notes with the snippet as a reader sees it.
func (e *Entry) ShownNotes() string {
	if e.Snippet == "" {
		return e.Notes
	}
	return strings.ReplaceAll(e.Notes, e.Snippet, e.Shown())
}

// Citation is what became of one citation of a claim.
type Citation struct {
	Anchor string                `json:"anchor"`
	Status ledger.CitationStatus `json:"status"`
}

// Quotation is what became of one quotation of a claim.
type Quotation struct {
	Text   string                 `json:"text"`
	Status ledger.QuotationStatus `json:"status"`
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

	By       string `json:"by,omitempty"`        // pseudonymous id of the person or machine; "" if it was imported
	LogIndex *int64 `json:"log_index,omitempty"` // of its event in the tenant's log, from 0
	Member   bool   `json:"member,omitempty"`    // by a person who is a member of this tenant
	Stale    bool   `json:"stale,omitempty"`     // of an older judgement
	Undone   bool   `json:"undone,omitempty"`    // taken back
	Bulk     string `json:"bulk,omitempty"`      // id of the step that confirmed several claims at once

	ReplacedBy []int `json:"replaced_by,omitempty"` // numbers of the claims that came in the claim's place

	Asks   bool `json:"asks,omitempty"`   // a comment that must be answered or resolved
	Thread int  `json:"thread,omitempty"` // number of the comment that begins the thread that it belongs to
	Open   bool `json:"open,omitempty"`   // it begins a thread that is open
}
