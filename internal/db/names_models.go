package db

import "sanad/internal/db/models"

// What callers know of package models by the store's name.
type (
	ModelReviews = models.ModelReviews
	modelStore   = models.Store
)
