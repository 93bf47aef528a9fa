package app

import (
	"context"
	"encoding/json"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/importers"
	"sanad/internal/words"
)

// bundleDocuments returns the items of a bundle as documents that the session does not have yet; none if it has them
// from an earlier run (rule L-34).
func (r Rejudger) bundleDocuments(
	ctx context.Context, loaded *ledger.Session, bundleID string,
) ([]ledger.Document, error) {
	if bundleID == "" {
		return nil, nil
	}
	for i := range loaded.Documents {
		if loaded.Documents[i].BundleID == bundleID {
			return nil, nil
		}
	}
	if r.Lake == nil {
		return nil, &domain.Error{Kind: domain.Unavailable, Op: "app.bundleDocuments",
			Message: words.Msg("refused_own_lake")}
	}
	at, err := r.Store.BundleArtifact(ctx, r.Actor.Tenant, bundleID)
	if err != nil {
		return nil, err
	}
	data, err := ReadArtifact(ctx, r.Lake.Of(r.Actor.Tenant), at)
	if err != nil {
		return nil, err
	}
	var b bundle.Bundle
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, err
	}
	var list []importers.AddedDocument
	for i := range b.Items {
		x := &b.Items[i]
		if strings.TrimSpace(x.Content) == "" {
			continue
		}
		list = append(list, importers.AddedDocument{
			ID: bundleID[:min(len(bundleID), 8)] + "/" + x.EvidenceID, Filename: x.SourceName(),
			Title: x.SourceName() + " (" + x.EvidenceID + ")", URI: x.SourceRef.URI(), Text: &x.Content,
		})
	}
	if len(list) == 0 {
		return nil, domain.Refuse(domain.Invalid, "bundle_id", "refused_own_empty")
	}
	added, err := importers.ReadAdded(list, importers.Options{})
	if err != nil {
		return nil, err
	}
	for i := range added.Documents {
		added.Documents[i].BundleID = bundleID
	}
	return identified(added.Documents, r.NewID), nil
}

// judgeFrom judges all claims of the loaded session from the items of a bundle and nothing else, or, without one, from
// the session's own documents. It returns the copy that was judged, and the documents that are to be added.
func (r Rejudger) judgeFrom(
	ctx context.Context, loaded *ledger.Session, bundleID, name string,
) (*ledger.Session, []ledger.Document, error) {
	items, err := r.bundleDocuments(ctx, loaded, bundleID)
	if err != nil {
		return nil, nil, err
	}
	grown := *loaded
	if err := grown.AddDocuments(items, r.Now); err != nil {
		return nil, nil, err
	}
	judged, err := r.judge(ctx, &grown, bundleID, func(s *ledger.Session, own judge.Embedded, watch func(begun, all int) error) error {
		for i := range s.Claims {
			s.Claims[i].Given, s.Claims[i].Matches = false, nil
		}
		if r.model != nil {
			return r.model.judgeAll(ctx, s, run(ctx, own, r.Actor, nil), r.Now, watch)
		}
		_, err := judge.RunWatched(s, judges[name](run(ctx, own, r.Actor, r.Told)), r.Now, watch)
		return err
	})
	return judged, items, err
}
