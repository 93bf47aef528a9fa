package handlers

import (
	"slices"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/pack"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// What the store loads of packs, handed to the views.

func packLines(rows []db.PackRow) []ui.PackRow {
	return each(rows, func(r db.PackRow) ui.PackRow {
		return ui.PackRow{
			ID: r.PackID, Title: r.Title, DecisionID: r.DecisionID, Agent: r.AgentName, Version: r.Version, State: r.State, Level: r.Level,
			Class: r.ApprovalClass, OnHold: r.OnHold, ChangedAt: r.UpdatedAt, RetainUntil: r.RetainUntil, Approvals: r.Approvals, Need: r.Need,
		}
	})
}

func missingRows(rows []db.DecisionRow) []ui.MissingRow {
	return each(rows, func(r db.DecisionRow) ui.MissingRow {
		return ui.MissingRow{
			DecisionID: r.DecisionID, Title: r.Title, Agent: r.AgentName, DecidedAt: r.DecidedAt,
			Requirement: pack.Requirement{Level: r.Level, EffectiveClass: r.ApprovalClass},
		}
	})
}

func exportAsks(rows []db.PackExport) []ui.ExportAsk { return each(rows, exportAsk) }

func exportAsk(e db.PackExport) ui.ExportAsk {
	return ui.ExportAsk{
		ID: e.ID, PackID: e.PackID, Title: e.Title, Format: e.Format, Actor: e.AskedBy, Name: e.AskedName, AskedAt: e.AskedAt,
		State: e.State, Linked: !e.LinkedAt.IsZero(), Reason: e.Reason,
	}
}

func packQueue(q *db.PackQueue) ui.PackQueueInput {
	return ui.PackQueueInput{
		ToDecide: packLines(q.Packs), Returned: packLines(q.Returned), Asks: exportAsks(q.Exports), Missing: missingRows(q.Missing),
		NToDecide: q.NPacks, NReturned: q.NReturned, NAsks: q.NExports, NMissing: q.NMissing,
	}
}

// packVersions lists the whole family, the newest first. Who made and decided a version is known of those in the chain.
func packVersions(view *db.PackView) []packsviews.Version {
	lives := map[string]*pack.Life{}
	for _, l := range view.Chain {
		lives[l.PackID] = l
	}
	out := each(view.Versions, func(r db.PackRow) packsviews.Version {
		v := packsviews.Version{ID: r.PackID, Version: r.Version, State: r.State, CreatedAt: stampText(r.CreatedAt), ReviewedAt: stampText(r.SignedAt), Makers: []string{r.MadeBy}}
		if l := lives[r.PackID]; l != nil {
			v.Makers = l.Makers
			v.Reviewer, v.ReviewedAt = l.Reviewer()
		}
		return v
	})
	slices.Reverse(out)
	return out
}

// packActors lists who has had to do with a pack and its versions.
func packActors(view *db.PackView) []string {
	out := actorsOf(view.Events)
	for _, r := range view.Versions {
		out = append(out, r.MadeBy)
	}
	for _, l := range view.Chain {
		out = append(out, l.Makers...)
		if id, _ := l.Reviewer(); id != "" {
			out = append(out, id)
		}
		for _, a := range l.Approvals {
			out = append(out, a.Actor)
		}
	}
	for _, h := range view.Holds {
		out = append(out, h.Actor)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// stampText writes a time as packs do; "" for none.
func stampText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
