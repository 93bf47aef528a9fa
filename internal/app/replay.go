package app

import (
	"context"
	"encoding/json"

	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/importers"
)

// Replay builds a stored bundle again, by the version and the policy that it names, and compares (rule B-16). req is
// the request that it was built from; nil takes what the bundle and the lake keep of it. Nothing is stored.
func (b BundleBuilder) Replay(
	ctx context.Context, tenant, bundleID string, req *importers.BundleRequest,
) (*bundle.Comparison, error) {
	at, err := b.Store.BundleArtifact(ctx, tenant, bundleID)
	if err != nil {
		return nil, err
	}
	data, err := ReadArtifact(ctx, b.Area, at)
	if domain.KindOf(err) == domain.NotFound {
		return nil, domain.Refuse(domain.Conflict, "", "refused_lake_lost_bundle")
	}
	if err != nil {
		return nil, err
	}
	var was bundle.Bundle
	if err := json.Unmarshal(data, &was); err != nil {
		return nil, err
	}
	stored, err := b.Store.Bundle(ctx, tenant, bundleID, 0, 0)
	if err != nil {
		return nil, err
	}
	was.FailedSources = stored.Builds[0].Failed // the same ones, with their messages
	redactor, err := redactorOf(ctx, b.Store, tenant)
	if err != nil {
		return nil, err
	}
	var input *bundle.Request
	if req != nil {
		input = &req.Request
	}
	return bundle.Replay(&was, input, b.Area.Load(ctx), redactor)
}
