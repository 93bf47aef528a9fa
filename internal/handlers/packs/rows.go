package packs

import (
	"slices"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
)

// packVersions lists all versions, newest first.
func packVersions(view *db.PackView) []packsviews.Version {
	out := web.Map(view.Versions, func(r pack.Row) packsviews.Version {
		v := packsviews.Version{ID: r.PackID, Version: r.Version, State: r.State, CreatedAt: stampText(r.CreatedAt),
			ReviewedAt: stampText(r.SignedAt), Authors: []string{r.MadeBy}}
		if l := view.Lives[r.PackID]; l != nil {
			v.Authors = l.Authors
			v.Reviewer, v.ReviewedAt = l.Reviewer()
		}
		return v
	})
	slices.Reverse(out)
	return out
}

// packActors lists the people who had a part in a pack and its versions.
func packActors(view *db.PackView) []string {
	out := web.ActorsOf(view.Events)
	for _, r := range view.Versions {
		out = append(out, r.MadeBy)
	}
	for _, l := range view.Lives {
		out = append(out, l.Authors...)
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

// stampText writes a time in the format of packs; "" if none.
func stampText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
