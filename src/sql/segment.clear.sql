-- Lets go of the segment before.
delete from temp.asked;
delete from temp.chosen;
delete from temp.chosen_client;
delete from temp.chosen_place;
delete from temp.chosen_origin;
delete from temp.chosen_campaign;
delete from temp.chosen_session;
