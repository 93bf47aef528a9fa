package main

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"sanad/internal/db"
	"sanad/internal/files"
)

// filePlaces are where files are kept: folders' paths or URLs, "" for the folder that is the default.
type filePlaces struct {
	originals, lake, checkpoints string
	lakeKept                     string // the lake as a backup includes it; "" for the folder below the data
}

// filePlaces puts everything below --files, unless a flag of its own says otherwise.
func (c *config) filePlaces() (filePlaces, error) {
	p := filePlaces{originals: c.bucket, checkpoints: c.checkpoints}
	if c.files == "" {
		return p, nil
	}
	below, err := belowFiles(c.files)
	if err != nil {
		return p, fmt.Errorf("--files: %w", err)
	}
	if p.originals == "" {
		p.originals = below("originals", originalsFolder)
	}
	if p.checkpoints == "" {
		p.checkpoints = below("checkpoints", nil)
	}
	p.lake = below("lake", nil)
	p.lakeKept = p.lake
	return p, nil
}

// originalsFolder has a shared folder of originals written like the one below --data: private, and nothing beside a
// file.
var originalsFolder = url.Values{
	"create_dir": {"1"}, "dir_file_mode": {"0700"}, "no_tmp_dir": {"1"}, "metadata": {"skip"},
}

// belowFiles returns a function that returns the URL of a part of a folder or bucket; inFolder is said of folders only.
func belowFiles(address string) (below func(part string, inFolder url.Values) string, err error) {
	dir := address
	if strings.Contains(address, "://") {
		if dir, err = files.FolderOf(address); err != nil {
			return nil, err
		}
	}
	if dir == "" {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" {
			return nil, errors.New("give a folder, or a bucket as s3://NAME?…")
		}
		return func(part string, _ url.Values) string {
			q, in := u.Query(), *u
			q.Set("prefix", q.Get("prefix")+part+"/")
			in.RawQuery = q.Encode()
			return in.String()
		}, nil
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	return func(part string, inFolder url.Values) string {
		u := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, part)), RawQuery: inFolder.Encode()}
		return u.String()
	}, nil
}

// put says in o where files are.
func (p *filePlaces) put(o *db.Options) {
	o.Bucket, o.Lake, o.Checkpoints = p.originals, p.lakeKept, p.checkpoints
}
