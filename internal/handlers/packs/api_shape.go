package packs

import (
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
)

// apiPack is a pack as the API shows it: the content of pack.json, and everything that changes. The exact bytes of
// pack.json are in an export.
type apiPack struct {
	pack.Content
	Status       pack.State        `json:"status"`
	Revision     int               `json:"revision"`
	Unresolved   bool              `json:"unresolved"`
	Digest       *string           `json:"digest"` // SHA-256 of pack.json, from submission on
	SubmittedAt  *string           `json:"submitted_at"`
	ReviewerID   *string           `json:"reviewer_id"`
	ReviewedAt   *string           `json:"reviewed_at"`
	SignedAt     *string           `json:"signed_at"`
	Authors      []string          `json:"makers"`    // who made or edited this version
	Approvers    int               `json:"approvers"` // how many different ones must approve
	Approvals    []pack.Approval   `json:"approvals"`
	Return       *pack.Return      `json:"return"`
	LegalHold    *pack.Hold        `json:"legal_hold"`
	SupersededBy *string           `json:"superseded_by"`
	Files        []apiPackFile     `json:"files"`
	Validation   []web.ProblemItem `json:"validation"` // of a draft: every rule that it breaks now
	Alarms       []apiAlarm        `json:"alarms"`     // what each approver acknowledges
	Concerns     []apiConcern      `json:"concerns"`   // the alarm line
}

// apiConcern is an item of the alarm line with its words.
type apiConcern struct {
	pack.Concern
	Text   string `json:"text"`
	TextAR string `json:"text_ar"`
}

// apiConcerns is the alarm line of a pack as of its last change, with what changed since submission: an answer with the
// same ETag is the same. So it leaves out who counts as one person (rule P-22), which changes without the pack; an
// approval is asked for it.
func apiConcerns(v *db.PackView, faults []pack.Fault) []apiConcern {
	life := *v.Life
	life.Makers = access.Makers{}
	s := pack.Standing{Content: &v.Content, Life: &life, Faults: faults, Since: v.Since}
	for i := range v.Versions {
		if v.Versions[i].PackID == v.Life.PackID {
			s.At = v.Versions[i].UpdatedAt
		}
	}
	return web.Map(s.Concerns(), func(x pack.Concern) apiConcern {
		return apiConcern{Concern: x, Text: x.Text("en", nil), TextAR: x.Text("ar", nil)}
	})
}

// apiAlarm is an alarm with its words.
type apiAlarm struct {
	pack.Alarm
	Text   string `json:"text"`
	TextAR string `json:"text_ar"`
}

// apiAlarms are the alarms that were frozen, then those of what changed since submission.
func apiAlarms(c *pack.Content, since []pack.Since) []apiAlarm {
	out := web.Map(c.Alarms, func(a pack.Alarm) apiAlarm {
		return apiAlarm{Alarm: a, Text: a.Text(c, "en"), TextAR: a.Text(c, "ar")}
	})
	for i := range since {
		x := &since[i]
		out = append(out, apiAlarm{Alarm: x.Alarm(), Text: x.Text("en"), TextAR: x.Text("ar")})
	}
	return out
}

// packTag is the ETag of a pack: of its revision, and of what changed since its submission.
func packTag(v *db.PackView) string {
	return web.Etag(v.Life.PackID, v.Life.Revision, pack.SinceDigest(v.Since))
}

// apiPackFile is a stored file of a pack.
type apiPackFile struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"`
	SHA256    string `json:"sha256"`
}

func newAPIPack(v *db.PackView) *apiPack {
	l := v.Life
	reviewer, at := l.Reviewer()
	p := &apiPack{
		Content: v.Content, Status: l.State, Revision: l.Revision, Unresolved: l.Unresolved(),
		Digest:      web.OrNull(l.Digest),
		SubmittedAt: web.OrNull(l.SubmittedAt), ReviewerID: web.OrNull(reviewer), ReviewedAt: web.OrNull(at),
		SignedAt: web.TimeOrNull(v.SignedAt),
		Authors:  append([]string{}, l.Authors...), Approvers: max(l.Need, 1),
		Approvals: append([]pack.Approval{}, l.Approvals...),
		Return:    l.Return, LegalHold: l.Hold, SupersededBy: web.OrNull(l.SupersededBy), Files: []apiPackFile{},
		Validation: []web.ProblemItem{}, Alarms: apiAlarms(&v.Content, v.Since),
	}
	for _, f := range v.Files {
		p.Files = append(p.Files, apiPackFile(f))
	}
	var faults []pack.Fault
	if l.State == pack.Draft {
		faults = v.Faults()
		p.Validation = web.BrokenRules(faults)
	}
	p.Concerns = apiConcerns(v, faults)
	return p
}

// apiPackRow is a pack in a list.
type apiPackRow struct {
	PackID         string     `json:"pack_id"`
	DecisionID     string     `json:"decision_id"`
	Version        int        `json:"version"`
	Supersedes     *string    `json:"supersedes"`
	SupersededBy   *string    `json:"superseded_by"`
	Status         pack.State `json:"status"`
	Revision       int        `json:"revision"`
	Title          string     `json:"title"`
	AgentName      string     `json:"agent_name"`
	EffectiveClass string     `json:"effective_class"`
	Level          pack.Level `json:"requirement_level"`
	SessionID      *string    `json:"ledger_session_id"`
	Digest         *string    `json:"digest"`
	Approvers      int        `json:"approvers"`
	Approvals      int        `json:"approvals_given"`
	Alarms         int        `json:"alarm_count"` // that an approver acknowledges, as of submission
	OnHold         bool       `json:"on_hold"`
	CreatedAt      *string    `json:"created_at"`
	UpdatedAt      *string    `json:"updated_at"`
	SubmittedAt    *string    `json:"submitted_at"`
	SignedAt       *string    `json:"signed_at"`
	RetainUntil    *string    `json:"retain_until"`
	DueOn          *string    `json:"due_on"`        // 2026-11-30; null if none
	DueZone        *string    `json:"due_time_zone"` // in which that day ends; null if none
	WaitsSince     *string    `json:"waits_since"`   // of a pack in review; null otherwise
}

func packRows(rows []pack.Row) []apiPackRow {
	out := make([]apiPackRow, len(rows))
	for i, r := range rows {
		out[i] = apiPackRow{PackID: r.PackID, DecisionID: r.DecisionID, Version: r.Version,
			Supersedes: web.OrNull(r.Supersedes), SupersededBy: web.OrNull(r.SupersededBy), Status: r.State,
			Revision: r.Revision, Title: r.Title,
			AgentName: r.AgentName, EffectiveClass: r.ApprovalClass, Level: r.Level,
			SessionID: web.OrNull(r.SessionID), Digest: web.OrNull(r.Digest), Approvers: max(r.Need, 1),
			Approvals: r.Approvals, Alarms: r.Alarms, OnHold: r.OnHold,
			CreatedAt: web.TimeOrNull(r.CreatedAt), UpdatedAt: web.TimeOrNull(r.UpdatedAt),
			SubmittedAt: web.TimeOrNull(r.SubmittedAt), SignedAt: web.TimeOrNull(r.SignedAt),
			RetainUntil: web.TimeOrNull(r.RetainUntil), DueOn: web.OrNull(r.Due.Day), DueZone: web.DueZone(&r.Due)}
		if r.State == pack.InReview {
			out[i].WaitsSince = out[i].SubmittedAt
		}
	}
	return out
}
