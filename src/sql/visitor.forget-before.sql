-- Without its salt a hash knows nobody any more; the visitor's number stays in sessions and views.
delete from visitor
where day < @day
