package packs

import (
	"time"

	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Seal is what is known of a pack's integrity.
type Seal struct {
	Digest, KeyID string
	LogIndex      int64 // of the sign-off in the tenant's log, -1 if it is not signed off
	TreeSize      int64
	Report        *pack.Report // nil if nothing is signed yet
	At            time.Time    // when it was checked
	Now           bool         // whether the files were hashed for this answer
}

// SealView is the integrity panel.
type SealView struct {
	Digest, KeyID string
	Log           string
	Verdict       Check
	Checked       say.Moment
	Now           bool
	Checks        []NamedCheck
	Signed        bool
	Command       string
}

// NamedCheck is the outcome of one check.
type NamedCheck struct {
	Name   string
	Result Check
	Detail string
}

func NewSealView(c *ui.Chrome, in *Seal, l *pack.Life) *SealView {
	if in == nil {
		return nil
	}
	v := &SealView{Digest: in.Digest, KeyID: in.KeyID, Checked: c.Minute(in.At), Now: in.Now,
		Command: "sanad verify " + l.PackID + ".zip --fingerprint " + in.KeyID}
	if in.LogIndex >= 0 {
		v.Log = c.T("pk_log_at", "N", c.Num(int(in.LogIndex)+1), "Size", c.Num(int(in.TreeSize)))
	}
	if in.Report == nil {
		return v
	}
	v.Signed = true
	word := c.T("pk_verdict_" + string(in.Report.Verdict))
	if in.Report.OK() {
		v.Verdict = GoodCheck(word)
	} else {
		v.Verdict = BadCheck(word)
	}
	for _, x := range in.Report.Checks {
		v.Checks = append(v.Checks, namedCheck(c, x))
	}
	return v
}

func namedCheck(c *ui.Chrome, x pack.Check) NamedCheck {
	n := NamedCheck{Name: c.Known("pk_check_", x.Name), Detail: x.Detail}
	switch x.Status {
	case pack.OK:
		n.Detail = "" // what the check counted is for an operator's terminal
		n.Result = GoodCheck(c.T("pk_check_ok"))
	case pack.Failed:
		n.Result = BadCheck(c.T("pk_check_failed"))
	case pack.NotChecked:
		n.Result = OpenCheck(c.T("pk_check_not_checked"))
	}
	return n
}

// Version is one version of a chain.
type Version struct {
	ID         string
	Version    int
	State      pack.State
	CreatedAt  string
	Authors    []string // pseudonymous ids
	Reviewer   string
	ReviewedAt string
}

// VersionView is one version, laid out.
type VersionView struct {
	ID, Href, Version, State, StateKey string
	Created, Decided                   say.Moment
	Authors                            string
	Reviewer                           string
	Current                            bool
	Compare                            string // with the one shown, "" for that itself
}

func versionViews(c *ui.Chrome, in []Version, current string, names map[string]string) []VersionView {
	out := make([]VersionView, len(in))
	for i, x := range in {
		v := VersionView{
			ID: x.ID, Href: "/packs/" + x.ID, Version: c.Num(x.Version), State: c.T("pk_state_" + string(x.State)),
			StateKey: string(x.State),
			Created:  c.Minute(ui.Instant(x.CreatedAt)), Decided: c.Minute(ui.Instant(x.ReviewedAt)),
			Current: x.ID == current,
		}
		for n, id := range x.Authors {
			if n > 0 {
				v.Authors += c.T("list_comma")
			}
			v.Authors += say.Isolated(c.ActorName(id, names[id]))
		}
		if x.Reviewer != "" {
			v.Reviewer = c.ActorName(x.Reviewer, names[x.Reviewer])
		}
		if !v.Current {
			v.Compare = "/packs/" + current + "/compare?with=" + x.ID
		}
		out[i] = v
	}
	return out
}
