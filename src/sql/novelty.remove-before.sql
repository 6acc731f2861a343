delete from novelty
where day < @day
