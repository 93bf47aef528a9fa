package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/importers"
	"sanad/internal/lake"
)

// area is the asker's part of the lake.
func (s *Server) area(c echo.Context) (*lake.Area, error) { return s.areaOf(s.who(c).Tenant) }

func (s *Server) areaOf(tenant string) (*lake.Area, error) {
	if s.lake == nil {
		return nil, &domain.Error{Kind: domain.Unavailable, Op: "handlers.area", Msg: "This server has no lake; ask its operator for one."}
	}
	return s.lake.Of(tenant), nil
}

// buildBundle makes a bundle and keeps it: what it refers to into the lake, then the bundle itself, then its rows. A process
// that dies on the way leaves artifacts that the next attempt finds. One bundle of a tenant is made at a time, so that
// requests cannot take the machine's memory.
func (s *Server) buildBundle(ctx context.Context, who domain.Actor, req *importers.BundleRequest) (artifact []byte, b *bundle.Bundle, created bool, err error) {
	area, err := s.areaOf(who.Tenant)
	if err != nil {
		return nil, nil, false, err
	}
	back, err := s.turns.take(ctx, "bundle\n"+who.Tenant)
	if err != nil {
		return nil, nil, false, err
	}
	defer back()
	return Building{s.store, area, s.now()}.Build(ctx, who, req)
}

// Building makes bundles and keeps them: for the API and for whoever fills a store.
type Building struct {
	Store *db.Store
	Area  *lake.Area // of the actor's tenant
	Now   time.Time
}

// Build makes a bundle of a request, or finds the same one: it gives its artifact as it was made first.
func (g Building) Build(ctx context.Context, who domain.Actor, req *importers.BundleRequest) (artifact []byte, b *bundle.Bundle, created bool, err error) {
	redactor, err := redactorOf(ctx, g.Store, who.Tenant)
	if err != nil {
		return nil, nil, false, err
	}
	area := g.Area
	built, err := bundle.Build(&req.Request, g.Now, area.Load(ctx), redactor)
	if err != nil {
		return nil, nil, false, err
	}
	in := db.BuiltBundle{Bundle: &built.Bundle, RunID: req.RunID}
	for _, w := range built.Writes {
		if _, err := area.Put(ctx, w.LakeURI, w.Data); err != nil {
			return nil, nil, false, err
		}
		in.Writes = append(in.Writes, db.ArtifactOf(w.LakeURI, w.Data))
	}
	if artifact, in.Artifact, err = g.keep(ctx, who.Tenant, &built.Bundle); err != nil {
		return nil, nil, false, err
	}
	created, err = g.Store.InsertBundle(ctx, who, in)
	return artifact, &built.Bundle, created, err
}

// keep puts a bundle into the lake, or finds it there with the time at which it was made first.
func (g Building) keep(ctx context.Context, tenant string, b *bundle.Bundle) ([]byte, db.Artifact, error) {
	area := g.Area
	known, err := g.Store.BuildOf(ctx, tenant, b)
	if err == nil {
		data, err := readArtifact(ctx, area, known)
		return data, known, err
	}
	if domain.KindOf(err) != domain.NotFound {
		return nil, known, err
	}
	digest, err := db.BuildDigest(b)
	if err != nil {
		return nil, known, err
	}
	data, err := b.Bytes()
	if err != nil {
		return nil, known, err
	}
	path := ownPart + "bundles/" + b.BundleID + "/" + digest[:12] + ".json"
	_, err = area.Put(ctx, path, data)
	if domain.KindOf(err) == domain.Conflict { // an attempt that died before its rows were stored
		if data, err = area.Get(ctx, path); err == nil && !sameButTime(data, b) {
			err = errors.New("what lies in the place of a bundle is not that bundle")
		}
	}
	return data, db.ArtifactOf(path, data), err
}

// ownPart is where this program writes into the lake; callers write elsewhere.
const ownPart = "evidence/"

// sameButTime tells whether data is the bundle, whenever it was made.
func sameButTime(data []byte, b *bundle.Bundle) bool {
	var there struct {
		At time.Time `json:"created_utc"`
	}
	if json.Unmarshal(data, &there) != nil {
		return false
	}
	x := *b
	x.CreatedUTC = there.At
	same, err := x.Bytes()
	return err == nil && bytes.Equal(same, data)
}

// errChanged says that the lake does not hold what was written there.
var errChanged = errors.New("the artifact in the lake is not what was written there")

// readArtifact reads what this program wrote, and checks that it is that still.
func readArtifact(ctx context.Context, area *lake.Area, a db.Artifact) ([]byte, error) {
	data, err := area.Get(ctx, a.Path)
	if err != nil {
		return nil, err
	}
	if db.ArtifactOf(a.Path, data) != a {
		return nil, &domain.Error{Kind: domain.Internal, Op: "handlers.readArtifact", Msg: "The lake does not hold this as it was written.", Err: errChanged}
	}
	return data, nil
}
