package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/bundle"
	"sanad/internal/domain/redact"
	"sanad/internal/importers"
	"sanad/internal/lake"
	"sanad/internal/words"
)

// BundleBuilder builds evidence bundles and stores them.
type BundleBuilder struct {
	Store *db.Store
	Area  *lake.Area // of the actor's tenant
	Now   time.Time
}

// Build builds the bundle of a request, or finds the same one, and returns its artifact as it was first written. It
// writes the content that the bundle refers to into the lake, then the bundle itself, then its rows into the store. If
// the process dies in between, the next attempt finds the artifacts.
func (b BundleBuilder) Build(
	ctx context.Context, who access.Actor, req *importers.BundleRequest,
) (artifact []byte, made *bundle.Bundle, created bool, err error) {
	redactor, err := redactorOf(ctx, b.Store, who.Tenant)
	if err != nil {
		return nil, nil, false, err
	}
	built, err := bundle.Build(&req.Request, b.Now, b.Area.Load(ctx), redactor)
	if err != nil {
		return nil, nil, false, err
	}
	in := db.BuiltBundle{Bundle: &built.Bundle, RunID: req.RunID}
	for _, w := range built.Writes {
		if _, err := b.Area.Put(ctx, w.LakeURI, w.Data); err != nil {
			return nil, nil, false, err
		}
		in.Writes = append(in.Writes, db.ArtifactOf(w.LakeURI, w.Data))
	}
	if artifact, in.Artifact, err = b.put(ctx, who.Tenant, &built.Bundle); err != nil {
		return nil, nil, false, err
	}
	created, err = b.Store.InsertBundle(ctx, who, in)
	return artifact, &built.Bundle, created, err
}

// redactorOf returns a redactor for the built-in kinds and the tenant's own patterns.
func redactorOf(ctx context.Context, store *db.Store, tenant string) (*redact.Redactor, error) {
	own, err := store.Patterns(ctx, tenant)
	if err != nil {
		return nil, err
	}
	return redact.New(own)
}

// OwnPrefix is the part of the lake that only this program writes to.
const OwnPrefix = "evidence/"

// put writes a bundle into the lake, or reads it from there with the time at which it was first made.
func (b BundleBuilder) put(ctx context.Context, tenant string, x *bundle.Bundle) ([]byte, bundle.Artifact, error) {
	known, err := b.Store.BuildOf(ctx, tenant, x)
	if err == nil {
		data, err := ReadArtifact(ctx, b.Area, known)
		return data, known, err
	}
	if domain.KindOf(err) != domain.NotFound {
		return nil, known, err
	}
	digest, err := db.BuildDigest(x)
	if err != nil {
		return nil, known, err
	}
	data, err := x.Bytes()
	if err != nil {
		return nil, known, err
	}
	path := OwnPrefix + "bundles/" + x.BundleID + "/" + digest[:12] + ".json"
	_, err = b.Area.Put(ctx, path, data)
	if domain.KindOf(err) == domain.Conflict { // written by an attempt that died before it stored its rows
		if data, err = b.Area.Get(ctx, path); err == nil && !equalButTime(data, x) {
			err = errors.New("the lake holds something else at the path of a bundle")
		}
	}
	return data, db.ArtifactOf(path, data), err
}

// equalButTime reports whether data is the bundle x, no matter when it was made.
func equalButTime(data []byte, x *bundle.Bundle) bool {
	var stored struct {
		At time.Time `json:"created_utc"`
	}
	if json.Unmarshal(data, &stored) != nil {
		return false
	}
	same := *x
	same.CreatedUTC = stored.At
	want, err := same.Bytes()
	return err == nil && bytes.Equal(want, data)
}

// ErrArtifactChanged means that the lake does not hold what was written there.
var ErrArtifactChanged = errors.New("the artifact in the lake is not what was written there")

// ReadArtifact reads an artifact that this program wrote and verifies that it is unchanged. If it is not, the error
// wraps ErrArtifactChanged.
func ReadArtifact(ctx context.Context, area *lake.Area, a bundle.Artifact) ([]byte, error) {
	data, err := area.Get(ctx, a.Path)
	if err != nil {
		return nil, err
	}
	if db.ArtifactOf(a.Path, data) != a {
		return nil, &domain.Error{
			Kind: domain.Internal, Op: "app.ReadArtifact", Message: words.Msg("refused_lake_changed"),
			Err: ErrArtifactChanged,
		}
	}
	return data, nil
}
