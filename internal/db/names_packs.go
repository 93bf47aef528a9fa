package db

import "sanad/internal/db/packs"

// What callers know of package packs by the store's name.
type (
	Answering       = packs.Answering
	Approval        = packs.Approval
	BrokenPackError = packs.BrokenPackError
	PackView        = packs.PackView
	RenderPack      = packs.RenderPack
	StoredDecision  = packs.StoredDecision
	packStore       = packs.Store
)

// What callers know of package packs by the store's name.
const (
	ExportAsked   = packs.ExportAsked
	ExportGranted = packs.ExportGranted
	ExportRefused = packs.ExportRefused
	FileErased    = packs.FileErased
	PurgeAsked    = packs.PurgeAsked
	PurgeDone     = packs.PurgeDone
	PurgeRefused  = packs.PurgeRefused
)
