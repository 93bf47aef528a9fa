package web

import (
	"sanad/internal/db"
	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
)

// What the store loads of packs, handed to the views.

func PackLines(rows []db.PackRow) []ui.PackRow {
	return Each(rows, func(r db.PackRow) ui.PackRow {
		return ui.PackRow{
			ID: r.PackID, Title: r.Title, DecisionID: r.DecisionID, Agent: r.AgentName, Version: r.Version, State: r.State, Level: r.Level,
			Class: r.ApprovalClass, OnHold: r.OnHold, ChangedAt: r.UpdatedAt, RetainUntil: r.RetainUntil, Approvals: r.Approvals, Need: r.Need,
		}
	})
}

func MissingRows(rows []db.DecisionRow) []ui.MissingRow {
	return Each(rows, func(r db.DecisionRow) ui.MissingRow {
		return ui.MissingRow{
			DecisionID: r.DecisionID, Title: r.Title, Agent: r.AgentName, DecidedAt: r.DecidedAt,
			Requirement: pack.Requirement{Level: r.Level, EffectiveClass: r.ApprovalClass},
		}
	})
}

func ExportAsks(rows []db.PackExport) []ui.ExportAsk { return Each(rows, ExportAsk) }

func ExportAsk(e db.PackExport) ui.ExportAsk {
	return ui.ExportAsk{
		ID: e.ID, PackID: e.PackID, Title: e.Title, Format: e.Format, Actor: e.AskedBy, Name: e.AskedName, AskedAt: e.AskedAt,
		State: e.State, Linked: !e.LinkedAt.IsZero(), Reason: e.Reason,
	}
}

func PackQueue(q *db.PackQueue) ui.PackQueueInput {
	return ui.PackQueueInput{
		ToDecide: PackLines(q.Packs), Returned: PackLines(q.Returned), Asks: ExportAsks(q.Exports), Missing: MissingRows(q.Missing),
		NToDecide: q.NPacks, NReturned: q.NReturned, NAsks: q.NExports, NMissing: q.NMissing,
	}
}
